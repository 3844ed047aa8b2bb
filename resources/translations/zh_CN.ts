<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>  {folder} (passed over: not a full path)</source>
        <translation>  {folder}（已跳过：不是完整路径）</translation>
    </message>
    <message>
        <source>&quot;builtin&quot; must be one of {names}</source>
        <translation>&quot;builtin&quot; 必须是以下之一：{names}</translation>
    </message>
    <message>
        <source>&quot;builtin&quot; replaces &quot;command&quot; and &quot;url&quot;; keep only one of them</source>
        <translation>&quot;builtin&quot; 取代 &quot;command&quot; 和 &quot;url&quot;；只能保留其中一个</translation>
    </message>
    <message>
        <source>&quot;clients&quot; must be an object</source>
        <translation>&quot;clients&quot; 必须是一个对象</translation>
    </message>
    <message>
        <source>&quot;command&quot; must name the program to start</source>
        <translation>&quot;command&quot; 应填写要启动的程序</translation>
    </message>
    <message>
        <source>&quot;enabled&quot; and &quot;disabled&quot; contradict each other</source>
        <translation>&quot;enabled&quot; 与 &quot;disabled&quot; 互相矛盾</translation>
    </message>
    <message>
        <source>&quot;envFile&quot; is not read: put its variables into &quot;env&quot;</source>
        <translation>不会读取 &quot;envFile&quot;：请把其中的变量写入 &quot;env&quot;</translation>
    </message>
    <message>
        <source>&quot;oauth&quot; needs an assertion or an assertionFile</source>
        <translation>&quot;oauth&quot; 需要 assertion 或 assertionFile</translation>
    </message>
    <message>
        <source>&quot;oauth.assertionFile&quot; is set to {path}, which cannot be read ({what})</source>
        <translation>&quot;oauth.assertionFile&quot; 指定的 {path} 无法读取（{what}）</translation>
    </message>
    <message>
        <source>&quot;roots[{index}]&quot; is not an existing folder</source>
        <translation>“roots[{index}]”不是现有的文件夹</translation>
    </message>
    <message>
        <source>&quot;servers&quot; must be a list of names of servers</source>
        <translation>&quot;servers&quot; 必须是服务器名称的列表</translation>
    </message>
    <message>
        <source>&quot;tls.{key}&quot; is set to {path}, which cannot be used ({what})</source>
        <translation>&quot;tls.{key}&quot; 指定的 {path} 无法使用（{what}）</translation>
    </message>
    <message>
        <source>&quot;type&quot; must be one of &quot;stdio&quot;, &quot;http&quot; (also &quot;streamable-http&quot;) or &quot;sse&quot;</source>
        <translation>&quot;type&quot; 必须是 &quot;stdio&quot;、&quot;http&quot;（也可写 &quot;streamable-http&quot;）或 &quot;sse&quot; 之一</translation>
    </message>
    <message>
        <source>&quot;url&quot; must have the address of the server</source>
        <translation>&quot;url&quot; 应填写服务器的地址</translation>
    </message>
    <message>
        <source>&quot;{app_key}&quot; must be an object</source>
        <translation>&quot;{app_key}&quot; 必须是一个对象</translation>
    </message>
    <message>
        <source>&quot;{app_key}.overrides.{name}&quot; must be an object</source>
        <translation>&quot;{app_key}.overrides.{name}&quot; 必须是一个对象</translation>
    </message>
    <message>
        <source>&quot;{app_key}.schemaVersion&quot; must be a whole number</source>
        <translation>&quot;{app_key}.schemaVersion&quot; 必须是整数</translation>
    </message>
    <message>
        <source>&quot;{app_key}.{key}&quot; must be an object</source>
        <translation>&quot;{app_key}.{key}&quot; 必须是一个对象</translation>
    </message>
    <message>
        <source>&quot;{field}&quot; contains {foreign}, which only another client can prompt for</source>
        <translation>“{field}”中有 {foreign}，只有其他客户端才会询问它</translation>
    </message>
    <message>
        <source>&quot;{field}&quot; needs the variable {name}, which is not set</source>
        <translation>&quot;{field}&quot; 需要变量 {name}，但它没有设置</translation>
    </message>
    <message>
        <source>&quot;{field}&quot;: the default of ${{{name}}} cannot contain another ${{...}}</source>
        <translation>&quot;{field}&quot;：${{{name}}} 的默认值中不能再有 ${{...}}</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; is not a known key and is not used</source>
        <translation>&quot;{key}&quot; 不是已知的键，未被使用</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; is not a known key and is not used; did you mean &quot;{near}&quot;?</source>
        <translation>&quot;{key}&quot; 不是已知的键，未被使用；您是否想写 &quot;{near}&quot;？</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; must be a list of strings</source>
        <translation>&quot;{key}&quot; 必须是字符串列表</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; must be a list, not a string</source>
        <translation>&quot;{key}&quot; 必须是列表，而不是字符串</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; must be an object in {path}</source>
        <translation>{path} 中的“{key}”必须是对象</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; must be an object that maps names to values</source>
        <translation>&quot;{key}&quot; 必须是将名称映射到值的对象</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; must be true or false</source>
        <translation>&quot;{key}&quot; 必须是 true 或 false</translation>
    </message>
    <message>
        <source>&quot;{key}&quot; stands twice in the file (lines {lines}): only what is under the last one is read</source>
        <translation>&quot;{key}&quot; 在文件中出现了两次（第 {lines} 行）：只读取最后一处的内容</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; is built in on Linux and macOS only: on Windows, links could lead out of its folders. Use @modelcontextprotocol/server-{name} instead.</source>
        <translation>“{name}”只在 Linux 和 macOS 上内置：在 Windows 上，链接可能会指向其文件夹之外。请改用 @modelcontextprotocol/server-{name}。</translation>
    </message>
    <message>
        <source>&quot;{place}&quot; has {text}, which only another app or a shell fills in</source>
        <translation>&quot;{place}&quot; 含有 {text}，只有其他应用或 shell 才会替换它</translation>
    </message>
    <message>
        <source>&quot;{place}&quot; still has {text}: put your own value there</source>
        <translation>&quot;{place}&quot; 中仍是 {text}：请换成您自己的值</translation>
    </message>
    <message>
        <source>&quot;{where}&quot; must be a string, a number, true or false</source>
        <translation>&quot;{where}&quot; 必须是字符串、数字、true 或 false</translation>
    </message>
    <message>
        <source>&quot;{where}&quot; {words}</source>
        <translation>&quot;{where}&quot; {words}</translation>
    </message>
    <message>
        <source>&quot;{wrapper}&quot; must be an object with one key per server name</source>
        <translation>&quot;{wrapper}&quot; 必须是一个对象，每个服务器名称对应一个键</translation>
    </message>
    <message>
        <source>&apos;allOf&apos; was merged: Gemini does not support it.</source>
        <translation>“allOf”已合并：Gemini 不支持它。</translation>
    </message>
    <message>
        <source>&apos;items: false&apos; was replaced by &apos;maxItems&apos;.</source>
        <translation>“items: false”现在是“maxItems”。</translation>
    </message>
    <message>
        <source>&apos;items: {{}}&apos; was added: not every provider takes an array without it.</source>
        <translation>添加了“items: {{}}”：并非每个提供商都接受没有它的数组。</translation>
    </message>
    <message>
        <source>&apos;maxContains&apos; was removed.</source>
        <translation>省略了“maxContains”。</translation>
    </message>
    <message>
        <source>&apos;not&apos; was removed because its content was relaxed.</source>
        <translation>移除了“not”，因为其内容已放宽。</translation>
    </message>
    <message>
        <source>&apos;oneOf&apos; beside &apos;anyOf&apos; was removed; Gemini treats them the same.</source>
        <translation>省略了“anyOf”旁边的“oneOf”。Gemini 对两者的理解相同。</translation>
    </message>
    <message>
        <source>&apos;oneOf&apos; was replaced by &apos;anyOf&apos; or removed.</source>
        <translation>“oneOf”变成了“anyOf”或被省略。</translation>
    </message>
    <message>
        <source>&apos;oneOf&apos; was replaced by &apos;anyOf&apos;, which Gemini treats the same.</source>
        <translation>“oneOf”变成了“anyOf”。Gemini 对两者的理解相同。</translation>
    </message>
    <message>
        <source>&apos;required&apos; is malformed.</source>
        <translation>这里的“required”格式有误。</translation>
    </message>
    <message>
        <source>&apos;type: object&apos; is added: every provider wants it.</source>
        <translation>添加了“type: object”：每个提供商都要求它。</translation>
    </message>
    <message>
        <source>A call cannot both succeed and report an error.</source>
        <translation>调用不能既成功又报告错误。</translation>
    </message>
    <message>
        <source>A circular reference was removed.</source>
        <translation>移除了一个循环引用。</translation>
    </message>
    <message>
        <source>A code and the state that was sent, plus iss (the issuer) if the server announces it (RFC 9207).</source>
        <translation>一个 code 和已发送的 state；若服务器声明支持，还有 iss，即其 issuer（RFC 9207）。</translation>
    </message>
    <message>
        <source>A command cannot contain arguments; move them to &quot;args&quot;.</source>
        <translation>命令中不能有参数：请把它们移到 &quot;args&quot;。</translation>
    </message>
    <message>
        <source>A container can have a network or none, and no list of hosts</source>
        <translation>容器只能有网络或没有网络，不能有主机列表</translation>
    </message>
    <message>
        <source>A few small files: approvals, trusted servers, names of secrets, the window</source>
        <translation>若干小文件：授权、受信任的服务器、敏感信息的名称、窗口</translation>
    </message>
    <message>
        <source>A key is one word of letters, digits and signs.</source>
        <translation>密钥是由字母、数字和符号组成的一个词。</translation>
    </message>
    <message>
        <source>A keyword that cannot be encoded was removed.</source>
        <translation>省略了一个无法编码的关键字。</translation>
    </message>
    <message>
        <source>A link cannot be read as a file</source>
        <translation>链接不能作为文件读取</translation>
    </message>
    <message>
        <source>A preset needs a name of at most {count} letters.</source>
        <translation>预设需要一个名称，最多 {count} 个字符。</translation>
    </message>
    <message>
        <source>A request from {server} was declined: {words}.</source>
        <translation>{server} 的一个请求已被拒绝：{words}。</translation>
    </message>
    <message>
        <source>A sandbox is proposed on Linux alone.</source>
        <translation>仅在 Linux 上会建议使用沙盒。</translation>
    </message>
    <message>
        <source>A server in a container has walls of its own.</source>
        <translation>容器中的服务器有自己的隔离。</translation>
    </message>
    <message>
        <source>A server in this file cannot be named &quot;{name}&quot;</source>
        <translation>此文件中的服务器不能叫“{name}”</translation>
    </message>
    <message>
        <source>A server named &quot;{name}&quot; already exists</source>
        <translation>已存在名为“{name}”的服务器</translation>
    </message>
    <message>
        <source>A server named {name!r} already exists.</source>
        <translation>已存在名为 {name!r} 的服务器。</translation>
    </message>
    <message>
        <source>A server that requires signing in answers 401 and names its metadata in the WWW-Authenticate header: resource_metadata (RFC 9728, 5.1). Without it, the well-known addresses are tried.</source>
        <translation>需要登录的服务器会以 401 响应，并在响应头 WWW-Authenticate 中说明其元数据的位置：resource_metadata（RFC 9728，5.1）。没有它时会尝试常用地址。</translation>
    </message>
    <message>
        <source>A title must not be empty.</source>
        <translation>标题不能为空。</translation>
    </message>
    <message>
        <source>A type is not part of JSON Schema: any type is accepted.</source>
        <translation>有一个类型不属于 JSON Schema：任何类型都可以。</translation>
    </message>
    <message>
        <source>Add it with: mcp-desktop secret set {name}</source>
        <translation>将其存入：mcp-desktop secret set {name}</translation>
    </message>
    <message>
        <source>Add one, such as #!/bin/sh, or give its interpreter as the command.</source>
        <translation>请加上一行，例如 #!/bin/sh，或把解释器作为命令填写。</translation>
    </message>
    <message>
        <source>Additional properties are allowed because not all could be declared.</source>
        <translation>允许其他属性，因为无法声明全部属性。</translation>
    </message>
    <message>
        <source>All chats that are not open go, with their large results.</source>
        <translation>所有未打开的对话及其大型结果都将删除。</translation>
    </message>
    <message>
        <source>All lines so far go; the log goes on.</source>
        <translation>目前为止的所有行都将删除；日志会继续写入。</translation>
    </message>
    <message>
        <source>All lines so far go; the logs go on.</source>
        <translation>目前为止的所有行都将删除；各日志会继续写入。</translation>
    </message>
    <message>
        <source>All recorded calls and their results go, and how saved calls went last.</source>
        <translation>所有记录的调用及其结果都将删除，已保存调用的上次结果也一并删除。</translation>
    </message>
    <message>
        <source>All recordings and traces in the data folder go; those elsewhere stay.</source>
        <translation>数据文件夹中的所有录制与跟踪文件都将删除；其他位置的会保留。</translation>
    </message>
    <message>
        <source>All reports of failed runs go.</source>
        <translation>所有运行失败的报告都将删除。</translation>
    </message>
    <message>
        <source>All requests fail</source>
        <translation>所有请求都会失败</translation>
    </message>
    <message>
        <source>Allow this user to write to the file and to its folder.</source>
        <translation>请允许当前用户写入此文件及其文件夹。</translation>
    </message>
    <message>
        <source>Allow yourself to write to it, then look again.</source>
        <translation>请为自己开放写入权限，然后重新查看。</translation>
    </message>
    <message>
        <source>Alternatives that no value can match were removed.</source>
        <translation>省略了没有任何值符合的备选项。</translation>
    </message>
    <message>
        <source>An empty &apos;properties&apos; was added: not every provider takes an object without it.</source>
        <translation>添加了空的“properties”：并非每个提供商都接受没有它的对象。</translation>
    </message>
    <message>
        <source>Another program changed server &quot;{name}&quot; in {path}; nothing was saved</source>
        <translation>另一个程序更改了 {path} 中的服务器“{name}”；没有保存任何内容</translation>
    </message>
    <message>
        <source>Another program is writing {path}</source>
        <translation>另一个程序正在写入 {path}</translation>
    </message>
    <message>
        <source>Another program is writing {path}; nothing was saved</source>
        <translation>另一个程序正在写入 {path}；未保存任何内容</translation>
    </message>
    <message>
        <source>Another program keeps the file to itself: a backup, a synchronisation, a viewer of databases. Close it there.</source>
        <translation>另一个程序占用了此文件：可能是备份、同步或数据库查看工具。请在那里关闭它。</translation>
    </message>
    <message>
        <source>Another row has this path.</source>
        <translation>另一行已使用此路径。</translation>
    </message>
    <message>
        <source>Anthropic takes no temperature: the one in your config is not sent.</source>
        <translation>Anthropic 不接受 temperature：配置中的值不会发送。</translation>
    </message>
    <message>
        <source>Appears twice in the file</source>
        <translation>在文件中出现了两次</translation>
    </message>
    <message>
        <source>Ask in other words, or choose another model.</source>
        <translation>请换个说法提问，或选择其他模型。</translation>
    </message>
    <message>
        <source>Ask its administrator for access to this server.</source>
        <translation>请向其管理员申请使用此服务器的权限。</translation>
    </message>
    <message>
        <source>At most 2 files of {megabytes:,} MB for each server; the oldest lines go first</source>
        <translation>每个服务器最多 2 个文件，每个 {megabytes:,} MB；最旧的行先删除</translation>
    </message>
    <message>
        <source>At most {calls:,} calls or {megabytes:,} MB of the last {days:,} days; the oldest go first</source>
        <translation>最近 {days:,} 天内最多 {calls:,} 次调用或 {megabytes:,} MB；最旧的先删除</translation>
    </message>
    <message>
        <source>At most {calls:,} calls or {megabytes:,} MB; the oldest go first</source>
        <translation>最多 {calls:,} 次调用或 {megabytes:,} MB；最旧的先删除</translation>
    </message>
    <message>
        <source>At most {count:,} files or {megabytes:,} MB; the oldest go first</source>
        <translation>最多 {count:,} 个文件或 {megabytes:,} MB；最旧的先删除</translation>
    </message>
    <message>
        <source>At most {count} files of {megabytes:,} MB; the oldest lines go first</source>
        <translation>最多 {count} 个文件，每个 {megabytes:,} MB；最旧的行先删除</translation>
    </message>
    <message>
        <source>At most {count} reports; the oldest go first</source>
        <translation>最多 {count} 份报告；最旧的先删除</translation>
    </message>
    <message>
        <source>At most {megabytes:,} MB in this folder; the oldest go first. Elsewhere: no bound</source>
        <translation>此文件夹中最多 {megabytes:,} MB；最旧的先删除。其他位置：无上限</translation>
    </message>
    <message>
        <source>At most {megabytes:,} MB; gone when the app ends</source>
        <translation>最多 {megabytes:,} MB；应用结束时即消失</translation>
    </message>
    <message>
        <source>Available: {names}.</source>
        <translation>可用的有：{names}。</translation>
    </message>
    <message>
        <source>Bundles</source>
        <translation>MCP 包</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls end after {most} seconds: {tools}.</source>
        <translation>调用在 {most} 秒后被中止：{tools}。</translation>
    </message>
    <message>
        <source>Calls of the tool fail</source>
        <translation>该工具的调用会失败</translation>
    </message>
    <message>
        <source>Calls of the tool may fail</source>
        <translation>该工具的调用可能失败</translation>
    </message>
    <message>
        <source>Cannot be added here.</source>
        <translation>无法在这里添加。</translation>
    </message>
    <message>
        <source>Cannot be called yet, still starting: {names}.</source>
        <translation>仍在启动，暂时无法调用：{names}。</translation>
    </message>
    <message>
        <source>Change it in an editor, or in the app itself.</source>
        <translation>请在编辑器中或在该应用自身中更改。</translation>
    </message>
    <message>
        <source>Change its arguments, or its sandbox and limits.</source>
        <translation>请更改它的参数，或它的沙盒和资源限制。</translation>
    </message>
    <message>
        <source>Change its sandbox.</source>
        <translation>请修改它的沙盒设置。</translation>
    </message>
    <message>
        <source>Change the question or the tool result, or use another provider.</source>
        <translation>请修改问题或工具结果，或使用其他提供商。</translation>
    </message>
    <message>
        <source>Changed: {tools}.</source>
        <translation>已更改：{tools}。</translation>
    </message>
    <message>
        <source>Characters that cannot be sent were removed.</source>
        <translation>移除了无法发送的字符。</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Check its command and arguments, and its output.</source>
        <translation>请检查其命令和参数，以及它的输出。</translation>
    </message>
    <message>
        <source>Check its command and its working directory.</source>
        <translation>请检查它的命令和工作目录。</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>请检查它的权限。</translation>
    </message>
    <message>
        <source>Check its spelling.</source>
        <translation>请检查拼写。</translation>
    </message>
    <message>
        <source>Check or replace the key.</source>
        <translation>请检查或更换密钥。</translation>
    </message>
    <message>
        <source>Check the URL, and that the server is running there.</source>
        <translation>请检查它的 URL，以及服务器是否在那里运行。</translation>
    </message>
    <message>
        <source>Check the address of the provider.</source>
        <translation>请检查提供商的 API 地址。</translation>
    </message>
    <message>
        <source>Check the credentials in its HTTP headers.</source>
        <translation>请检查 HTTP 请求头中的凭据。</translation>
    </message>
    <message>
        <source>Check the model and the address of the provider.</source>
        <translation>请检查模型和提供商的地址。</translation>
    </message>
    <message>
        <source>Check the name and the password in the address of the proxy.</source>
        <translation>请检查代理地址中的用户名和密码。</translation>
    </message>
    <message>
        <source>Check the name, and the registry&apos;s address in Settings.</source>
        <translation>请检查名称，以及“设置”中注册中心的地址。</translation>
    </message>
    <message>
        <source>Check the network and the address of the provider.</source>
        <translation>请检查网络和提供商的地址。</translation>
    </message>
    <message>
        <source>Check the network and the proxy, then sign in again.</source>
        <translation>请检查网络和代理，然后重新登录。</translation>
    </message>
    <message>
        <source>Check the permissions of its folder, and the room on the disk.</source>
        <translation>请检查其文件夹的权限和磁盘的剩余空间。</translation>
    </message>
    <message>
        <source>Check the permissions of the file and its folder, and the space on the disk.</source>
        <translation>请检查文件及其文件夹的权限，以及磁盘空间。</translation>
    </message>
    <message>
        <source>Check the plan and the balance of the account.</source>
        <translation>请检查账户的套餐和余额。</translation>
    </message>
    <message>
        <source>Check the proxy, or add the host of the server to NO_PROXY.</source>
        <translation>请检查代理，或把服务器的主机加入 NO_PROXY。</translation>
    </message>
    <message>
        <source>Check the registry&apos;s address in Settings.</source>
        <translation>请在“设置”中检查注册中心的地址。</translation>
    </message>
    <message>
        <source>Check the space on the disk.</source>
        <translation>请检查磁盘空间。</translation>
    </message>
    <message>
        <source>Check the spelling, install it, or enter its full path.</source>
        <translation>请检查拼写，安装它，或给出完整路径。</translation>
    </message>
    <message>
        <source>Check your network, and the registry&apos;s address in Settings.</source>
        <translation>请检查网络，以及“设置”中注册中心的地址。</translation>
    </message>
    <message>
        <source>Choose a file in it.</source>
        <translation>请指定其中的一个文件。</translation>
    </message>
    <message>
        <source>Choose another file with --config.</source>
        <translation>请用 --config 指定另一个文件。</translation>
    </message>
    <message>
        <source>Choose another model, or ask without the picture.</source>
        <translation>请选择其他模型，或不附图片提问。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请选择另一个名称。</translation>
    </message>
    <message>
        <source>Choose fewer tools, or start the model with a larger window (llama-server -c, Ollama num_ctx).</source>
        <translation>请选择更少的工具，或以更大的上下文窗口启动模型（llama-server 用 -c，Ollama 用 num_ctx）。</translation>
    </message>
    <message>
        <source>Choose its folder or file, in the Servers page or for the chat.</source>
        <translation>请在“服务器”页面或对话中选择它的文件夹或文件。</translation>
    </message>
    <message>
        <source>Client &quot;{name}&quot; of the gateway: {reason}</source>
        <translation>网关的客户端“{name}”：{reason}</translation>
    </message>
    <message>
        <source>Clients of the gateway over HTTP need its new token.</source>
        <translation>通过 HTTP 使用网关的客户端需要新的密钥（token）。</translation>
    </message>
    <message>
        <source>Close it first.</source>
        <translation>请先关闭它。</translation>
    </message>
    <message>
        <source>Close it there first.</source>
        <translation>请先在那里关闭它。</translation>
    </message>
    <message>
        <source>Closed by the MCP App.</source>
        <translation>已由 MCP 应用关闭。</translation>
    </message>
    <message>
        <source>Configure it to use gzip or no compression.</source>
        <translation>让它发送 gzip，或不压缩。</translation>
    </message>
    <message>
        <source>Configured: {known}.</source>
        <translation>已配置：{known}。</translation>
    </message>
    <message>
        <source>Copy the JSON or the command from its README.</source>
        <translation>请从其 README 中复制 JSON 或命令。</translation>
    </message>
    <message>
        <source>Correct &quot;cwd&quot;.</source>
        <translation>请更正 &quot;cwd&quot;。</translation>
    </message>
    <message>
        <source>Correct it in an editor. Until then it is not written to.</source>
        <translation>请在编辑器中更正它。在此之前不会写入该文件。</translation>
    </message>
    <message>
        <source>Crash reports</source>
        <translation>崩溃报告</translation>
    </message>
    <message>
        <source>Create an OAuth client there and set its ID: &quot;oauth&quot;: {{&quot;clientId&quot;: …}}.</source>
        <translation>请在那里创建 OAuth 客户端，并以 &quot;oauth&quot;: {{&quot;clientId&quot;: …}} 填入其 ID。</translation>
    </message>
    <message>
        <source>Create the folder or correct its path; a relative path starts from &quot;cwd&quot;.</source>
        <translation>请创建该文件夹或更正其路径；相对路径以“cwd”为起点。</translation>
    </message>
    <message>
        <source>Decisions and state</source>
        <translation>决定与状态</translation>
    </message>
    <message>
        <source>Delete it from the list.</source>
        <translation>请从列表中删除。</translation>
    </message>
    <message>
        <source>Denied: the call of {tool}.</source>
        <translation>已拒绝：对 {tool} 的调用。</translation>
    </message>
    <message>
        <source>Descriptions end after {most} characters: {tools}.</source>
        <translation>说明在 {most} 个字符后被截断：{tools}。</translation>
    </message>
    <message>
        <source>Did you mean {name}?</source>
        <translation>您是不是要找 {name}？</translation>
    </message>
    <message>
        <source>Do not continue until its operator has explained this: it could be a mistake or an attack.</source>
        <translation>在其运营者说明原因之前请勿继续：这可能是故障，也可能是攻击。</translation>
    </message>
    <message>
        <source>Docker is not running</source>
        <translation>Docker 未运行</translation>
    </message>
    <message>
        <source>Enter a JSON Schema.</source>
        <translation>请输入 JSON Schema。</translation>
    </message>
    <message>
        <source>Enter a number of seconds, such as 2.5.</source>
        <translation>请输入秒数，例如 2.5。</translation>
    </message>
    <message>
        <source>Enter the text that has to be there.</source>
        <translation>请输入必须出现的文本。</translation>
    </message>
    <message>
        <source>Every tool is asked about.</source>
        <translation>每个工具都会先询问。</translation>
    </message>
    <message>
        <source>Example: {example}</source>
        <translation>例如：{example}</translation>
    </message>
    <message>
        <source>Example: {example}.</source>
        <translation>例如：{example}。</translation>
    </message>
    <message>
        <source>Expected SHA-256 {expected}, found {found}. Nothing was opened. Tell the publisher of the server.</source>
        <translation>应为 SHA-256 {expected}，实际为 {found}。没有打开任何内容。请告知服务器的发布者。</translation>
    </message>
    <message>
        <source>Expecting &apos;,&apos; delimiter</source>
        <translation>应为逗号</translation>
    </message>
    <message>
        <source>Expecting &apos;:&apos; delimiter</source>
        <translation>应为冒号</translation>
    </message>
    <message>
        <source>Expecting colon</source>
        <translation>应为冒号</translation>
    </message>
    <message>
        <source>Expecting comma</source>
        <translation>应为逗号</translation>
    </message>
    <message>
        <source>Expecting end of file</source>
        <translation>应为文件结尾</translation>
    </message>
    <message>
        <source>Expecting key</source>
        <translation>应为带双引号的属性名</translation>
    </message>
    <message>
        <source>Expecting property name enclosed in double quotes</source>
        <translation>应为带双引号的属性名</translation>
    </message>
    <message>
        <source>Expecting value</source>
        <translation>应为一个值</translation>
    </message>
    <message>
        <source>Extra data</source>
        <translation>后面还有多余的内容</translation>
    </message>
    <message>
        <source>File not found: {path}</source>
        <translation>找不到文件 {path}</translation>
    </message>
    <message>
        <source>Files set aside</source>
        <translation>移开的文件</translation>
    </message>
    <message>
        <source>Fix the file in an editor, then reload. Until then the app does not write to it.</source>
        <translation>请在编辑器中修复该文件，然后重新加载。在此之前应用不会写入它。</translation>
    </message>
    <message>
        <source>Gateway: {reason}</source>
        <translation>网关：{reason}</translation>
    </message>
    <message>
        <source>Gemini did not take the prompt: {reason}</source>
        <translation>Gemini 未接受该提示：{reason}</translation>
    </message>
    <message>
        <source>Give each server its own name, then reload.</source>
        <translation>请给每个服务器各自的名称，然后重新加载。</translation>
    </message>
    <message>
        <source>Give the file in it that is to be started.</source>
        <translation>请填写其中要启动的文件。</translation>
    </message>
    <message>
        <source>Homes of servers in a sandbox</source>
        <translation>沙盒中服务器的主文件夹</translation>
    </message>
    <message>
        <source>If it is just slow to start, raise its time limit to connect (connectTimeout).</source>
        <translation>如果只是启动较慢，请增大其连接超时（connectTimeout）。</translation>
    </message>
    <message>
        <source>If it is just slow to start, raise its time limit to connect (connectTimeout); if its package is fetched slowly, name a mirror of the registry in its &quot;env&quot; ({variable}).</source>
        <translation>如果只是启动较慢，请增大其连接超时（connectTimeout）；如果软件包下载较慢，请在其 &quot;env&quot; 中指定镜像源（{variable}）。</translation>
    </message>
    <message>
        <source>If it needs more, raise &quot;{key}&quot; under Limits in its form, or in &quot;limits&quot; in the config.</source>
        <translation>如果它需要更多，请在其表单的“限制”中，或在配置的 &quot;limits&quot; 中增大 &quot;{key}&quot;。</translation>
    </message>
    <message>
        <source>If it uses Streamable HTTP instead of SSE, set its type to http.</source>
        <translation>如果它使用 Streamable HTTP 而不是 SSE，请把它的类型设为 http。</translation>
    </message>
    <message>
        <source>If it uses TLS, change its URL to https://.</source>
        <translation>如果它使用 TLS，请让它的 URL 以 https:// 开头。</translation>
    </message>
    <message>
        <source>If it uses plain HTTP, change its URL to http://.</source>
        <translation>如果它使用普通 HTTP，请让它的 URL 以 http:// 开头。</translation>
    </message>
    <message>
        <source>If its package is private: its sandbox hides the key of your registry. Name its file, such as ~/.npmrc, under &quot;read&quot;.</source>
        <translation>如果它的软件包是私有的：沙盒隐藏了您的软件包源密钥。请在 &quot;read&quot; 中列出密钥所在的文件，例如 ~/.npmrc。</translation>
    </message>
    <message>
        <source>If the registry has moved, set its address in Settings.</source>
        <translation>如果注册中心已迁移，请在“设置”中填写新地址。</translation>
    </message>
    <message>
        <source>If you trust it, read the whole URI instead.</source>
        <translation>如果您信任它，请直接读取完整的 URI。</translation>
    </message>
    <message>
        <source>If you trust its issuer, set the file with the issuer&apos;s certificate: &quot;tls&quot;: {{&quot;ca&quot;: …}}.</source>
        <translation>如果您信任其签发者，请指明含有签发者证书的文件：&quot;tls&quot;: {{&quot;ca&quot;: …}}。</translation>
    </message>
    <message>
        <source>Illegal trailing comma before end of array</source>
        <translation>列表结尾前有多余的逗号</translation>
    </message>
    <message>
        <source>Illegal trailing comma before end of object</source>
        <translation>对象结尾前有多余的逗号</translation>
    </message>
    <message>
        <source>Install it (Debian and Ubuntu: apt install bubblewrap), then restart the server.</source>
        <translation>请安装它（Debian 和 Ubuntu：apt install bubblewrap），然后重新启动服务器。</translation>
    </message>
    <message>
        <source>Install it, or correct the first line.</source>
        <translation>请安装它，或更正第一行。</translation>
    </message>
    <message>
        <source>Invalid \escape</source>
        <translation>无效的转义</translation>
    </message>
    <message>
        <source>Invalid \uXXXX escape</source>
        <translation>无效的 \uXXXX 转义</translation>
    </message>
    <message>
        <source>Invalid backslash escape</source>
        <translation>无效的反斜杠转义</translation>
    </message>
    <message>
        <source>Invalid control character at</source>
        <translation>无效的控制字符</translation>
    </message>
    <message>
        <source>Is the model&apos;s server running?</source>
        <translation>模型的服务器在运行吗？</translation>
    </message>
    <message>
        <source>It answers again in {minutes} minutes, at {time}. Or choose another model.</source>
        <translation>{minutes} 分钟后（{time}）恢复服务。也可以选择其他模型。</translation>
    </message>
    <message>
        <source>It asks for more than {limit} values.</source>
        <translation>它要求填写超过 {limit} 个值。</translation>
    </message>
    <message>
        <source>It asks for {folder}, which no sandbox opens.</source>
        <translation>它要求访问 {folder}，沙盒不会开放该文件夹。</translation>
    </message>
    <message>
        <source>It asks for: {names}</source>
        <translation>它需要：{names}</translation>
    </message>
    <message>
        <source>It does not ask for “{name}”.</source>
        <translation>它不需要“{name}”。</translation>
    </message>
    <message>
        <source>It does not read the tools again when the server says they changed.</source>
        <translation>服务器通知工具有变化时，它不会重新读取。</translation>
    </message>
    <message>
        <source>It has to be run by “{program}”.</source>
        <translation>它必须由“{program}”运行。</translation>
    </message>
    <message>
        <source>It has: {known}.</source>
        <translation>它有：{known}。</translation>
    </message>
    <message>
        <source>It is part of the other app (&quot;type&quot;: &quot;{written}&quot;) and cannot run outside it</source>
        <translation>它是另一个应用的一部分（&quot;type&quot;: &quot;{written}&quot;），不能在外面运行</translation>
    </message>
    <message>
        <source>It is started again by itself.</source>
        <translation>它会自动重启。</translation>
    </message>
    <message>
        <source>It lacks {names}: give it in &quot;env&quot;, or set it and restart.</source>
        <translation>缺少 {names}：请在 &quot;env&quot; 中提供，或设置后重启。</translation>
    </message>
    <message>
        <source>It looks like mcp-desktop://import?name=NAME&amp;config=BASE64-OF-THE-SERVER&apos;S-JSON.</source>
        <translation>它的形式是 mcp-desktop://import?name=名称&amp;config=服务器JSON的BASE64。</translation>
    </message>
    <message>
        <source>It ran in a sandbox and may touch {places}: if it needs more, change that in its form, or &quot;sandbox&quot; in the config.</source>
        <translation>它在沙盒中运行，可访问 {places}：如需更多，请在其表单中更改，或更改配置中的 &quot;sandbox&quot;。</translation>
    </message>
    <message>
        <source>It reaches servers by {ways} alone, not by {way}.</source>
        <translation>它只通过 {ways} 连接服务器，不支持 {way}。</translation>
    </message>
    <message>
        <source>It refuses {tools}: {why}.</source>
        <translation>它拒绝 {tools}：{why}。</translation>
    </message>
    <message>
        <source>It serves an address (“{transport}”) instead of stdio: start it yourself, then add its address.</source>
        <translation>它提供一个地址（“{transport}”）而不是 stdio：请自行启动它，再添加其地址。</translation>
    </message>
    <message>
        <source>It shows no MCP Apps: {tools}.</source>
        <translation>它不显示 MCP 应用：{tools}。</translation>
    </message>
    <message>
        <source>It speaks HTTP ({where}), not over its input and output: start it yourself and add it by its address (&quot;url&quot;), or give it the option for stdio.</source>
        <translation>它使用 HTTP（{where}）通信，而不是标准输入输出：请自行启动它并按地址（&quot;url&quot;）添加，或为它加上 stdio 选项。</translation>
    </message>
    <message>
        <source>It speaks the protocol up to {newest}, which has no structuredContent: {tools}.</source>
        <translation>它支持的协议最高为 {newest}，其中没有 structuredContent：{tools}。</translation>
    </message>
    <message>
        <source>It takes {most} tools {per}, and leaves out the rest of {count}.</source>
        <translation>{per}它最多接受 {most} 个工具，{count} 个中其余的会被略去。</translation>
    </message>
    <message>
        <source>It takes {most} tools {per}, and there are {count}.</source>
        <translation>{per}它最多接受 {most} 个工具，而这里有 {count} 个。</translation>
    </message>
    <message>
        <source>It was added from {address}.</source>
        <translation>它是从 {address} 添加的。</translation>
    </message>
    <message>
        <source>It was not started. Review and approve it with: mcp-desktop trust {name}</source>
        <translation>它没有启动。请用以下命令查看并批准：mcp-desktop trust {name}</translation>
    </message>
    <message>
        <source>It was written for an older version of the MCP SDK than it got: install that beside it (pip install &apos;mcp&lt;2&apos;), or ask its author to pin the version.</source>
        <translation>它是为较旧版本的 MCP SDK 编写的，而得到的版本较新：请在同一环境中安装旧版（pip install &apos;mcp&lt;2&apos;），或请其作者固定版本。</translation>
    </message>
    <message>
        <source>It was written for an older version of the MCP SDK than it got: put {option} first in its &quot;args&quot;, so that they are uvx --with &apos;mcp&lt;2&apos; {package}, or ask its author to pin the version.</source>
        <translation>它是为较旧版本的 MCP SDK 编写的，而得到的版本较新：请将 {option} 放在 &quot;args&quot; 的最前面，即 uvx --with &apos;mcp&lt;2&apos; {package}，或请其作者固定版本。</translation>
    </message>
    <message>
        <source>It would ask an address of this computer, and its registry is elsewhere.</source>
        <translation>它会访问本机的地址，而它的注册中心在别处。</translation>
    </message>
    <message>
        <source>It would read variables of this computer: its entry contains ${{…}}.</source>
        <translation>它会读取本机的变量：其条目包含 ${{…}}。</translation>
    </message>
    <message>
        <source>It wrote to stdout what is no message: “{line}”. Start it in the mode that speaks MCP over stdio; its logs belong to stderr.</source>
        <translation>它向 stdout 写入了不是协议消息的内容：“{line}”。请以 stdio 模式启动它；日志应写入 stderr。</translation>
    </message>
    <message>
        <source>Its Node.js is too old for it: install a newer one (node --version says which it is), or give the full path of a newer npx or node as the command.</source>
        <translation>Node.js 对它来说太旧：请安装较新的版本（node --version 可查看当前版本），或把较新的 npx 或 node 的完整路径作为命令填写。</translation>
    </message>
    <message>
        <source>Its bundle is no file of a release at github.com or gitlab.com (https): {address}</source>
        <translation>它的 MCP 包不是 github.com 或 gitlab.com（https）上某个发行版的文件：{address}</translation>
    </message>
    <message>
        <source>Its bundle lets a variable decide which program runs.</source>
        <translation>它的 MCP 包由一个变量决定运行哪个程序。</translation>
    </message>
    <message>
        <source>Its bundle serves an address (“{kind}”).</source>
        <translation>它的 MCP 包提供的是一个地址（“{kind}”）。</translation>
    </message>
    <message>
        <source>Its command opens to its container what its sandbox shuts: {options}</source>
        <translation>它的命令向容器开放了沙盒所禁止的内容：{options}</translation>
    </message>
    <message>
        <source>Its config asks for a sandbox or limits, which this app has not</source>
        <translation>它的配置要求沙盒或资源限制，而此应用没有该功能</translation>
    </message>
    <message>
        <source>Its config asks for a sandbox, and bubblewrap is not installed</source>
        <translation>它的配置要求沙盒，但没有安装 bubblewrap</translation>
    </message>
    <message>
        <source>Its config asks for a sandbox, which there is on Linux and macOS alone</source>
        <translation>它的配置要求沙盒，而沙盒只在 Linux 和 macOS 上可用</translation>
    </message>
    <message>
        <source>Its config limits its CPU, which only systemd can do, and that is not running for you here</source>
        <translation>它的配置限制了 CPU，只有 systemd 能做到，而此处没有为您运行 systemd</translation>
    </message>
    <message>
        <source>Its entry has no hash (fileSha256), so its file cannot be checked.</source>
        <translation>它的条目没有哈希值（fileSha256），因此无法校验文件。</translation>
    </message>
    <message>
        <source>Its entry may run other code than its package: {option}</source>
        <translation>其条目可能运行其软件包以外的代码：{option}</translation>
    </message>
    <message>
        <source>Its file can be shown, kept elsewhere or deleted.</source>
        <translation>可以查看其文件、另行保存或删除。</translation>
    </message>
    <message>
        <source>Its files are inside the bundle.</source>
        <translation>其文件在 MCP 包内。</translation>
    </message>
    <message>
        <source>Its model does not get structuredContent, and the text lacks values of it: {tools}. The text of {tool} lacks {count}.</source>
        <translation>它的模型得不到 structuredContent，而文本缺少其中的值：{tools}。{tool} 的文本缺少 {count} 个。</translation>
    </message>
    <message>
        <source>Its model does not get the pictures of {tools}.</source>
        <translation>它的模型得不到这些工具的图片：{tools}。</translation>
    </message>
    <message>
        <source>Its model gets structuredContent and not the text, which has words of its own: {tools}.</source>
        <translation>它的模型得到的是 structuredContent，得不到另有内容的文本：{tools}。</translation>
    </message>
    <message>
        <source>Its model gets structuredContent in place of the text: {tools}.</source>
        <translation>它的模型得到的是 structuredContent，而不是文本：{tools}。</translation>
    </message>
    <message>
        <source>Its model gets the text of a result alone, not structuredContent: {tools}.</source>
        <translation>它的模型只得到结果的文本，得不到 structuredContent：{tools}。</translation>
    </message>
    <message>
        <source>Its model is given tools that are for apps alone: {tools}.</source>
        <translation>只供应用使用的工具也会提供给它的模型：{tools}。</translation>
    </message>
    <message>
        <source>Its model is not given the tool</source>
        <translation>它的模型得不到该工具</translation>
    </message>
    <message>
        <source>Its model is not given {tools}: {why}.</source>
        <translation>它的模型得不到 {tools}：{why}。</translation>
    </message>
    <message>
        <source>Its model is not told {keywords} of arguments: {tools}.</source>
        <translation>它的模型看不到参数的 {keywords}：{tools}。</translation>
    </message>
    <message>
        <source>Its model is told less of the arguments</source>
        <translation>它的模型得到的参数说明更少</translation>
    </message>
    <message>
        <source>Its package comes from {address}.</source>
        <translation>它的软件包来自 {address}。</translation>
    </message>
    <message>
        <source>Its package could not be fetched: check the network and the proxy, or name a mirror of the registry in its &quot;env&quot; ({variable}).</source>
        <translation>无法获取其软件包：请检查网络和代理，或在其 &quot;env&quot; 中指定镜像源（{variable}）。</translation>
    </message>
    <message>
        <source>Its package has no proper name: {name}</source>
        <translation>它的软件包名称无效：{name}</translation>
    </message>
    <message>
        <source>Its publisher no longer maintains this server.</source>
        <translation>发布者已不再维护此服务器。</translation>
    </message>
    <message>
        <source>Its sandbox cannot be made: {why}</source>
        <translation>无法建立它的沙盒：{why}</translation>
    </message>
    <message>
        <source>Its sandbox may be too tight for it ({said}): change what it may touch in its form, or &quot;sandbox&quot; in the config.</source>
        <translation>它的沙盒可能过严（{said}）：请在其表单中更改可访问的内容，或更改配置中的 &quot;sandbox&quot;。</translation>
    </message>
    <message>
        <source>Its sandbox needs the folder {folder}, which cannot be made: {why}</source>
        <translation>它的沙盒需要文件夹 {folder}，但无法创建：{why}</translation>
    </message>
    <message>
        <source>Large results of this run</source>
        <translation>本次运行的大型结果</translation>
    </message>
    <message>
        <source>Last output:
{tail}</source>
        <translation>最后的输出：
{tail}</translation>
    </message>
    <message>
        <source>Lines of the conversation that could not be read: {count}. They stay in its file.</source>
        <translation>对话中无法读取的行数：{count}。它们仍保留在文件中。</translation>
    </message>
    <message>
        <source>Lines that are not as they were written: {count}. Read with care.</source>
        <translation>与写入时不一致的行数：{count}。请谨慎阅读。</translation>
    </message>
    <message>
        <source>Lists of running processes</source>
        <translation>运行中进程的清单</translation>
    </message>
    <message>
        <source>Log of the app</source>
        <translation>应用日志</translation>
    </message>
    <message>
        <source>Log: {text}</source>
        <translation>日志：{text}</translation>
    </message>
    <message>
        <source>Logs of removed servers</source>
        <translation>已移除服务器的日志</translation>
    </message>
    <message>
        <source>Logs of servers</source>
        <translation>服务器日志</translation>
    </message>
    <message>
        <source>Look at it again first.</source>
        <translation>请先重新查看它。</translation>
    </message>
    <message>
        <source>Look at the changes again.</source>
        <translation>请重新查看更改。</translation>
    </message>
    <message>
        <source>Look at the list.</source>
        <translation>请查看列表。</translation>
    </message>
    <message>
        <source>Make it executable: chmod +x {blocked}</source>
        <translation>请使它可执行：chmod +x {blocked}</translation>
    </message>
    <message>
        <source>Mend it, or move it away.</source>
        <translation>请修复或移走它。</translation>
    </message>
    <message>
        <source>Messages that are left out, because what they answer is lost: {count}.</source>
        <translation>因所回应的内容已丢失而省略的消息数：{count}。</translation>
    </message>
    <message>
        <source>Most expensive: {tools}.</source>
        <translation>占用最多：{tools}。</translation>
    </message>
    <message>
        <source>Move all servers under one of them.</source>
        <translation>请把全部服务器移到其中一个之下。</translation>
    </message>
    <message>
        <source>Move the app into the folder Applications and open it there, then try again.</source>
        <translation>请将本应用移到“应用程序”文件夹，从那里打开后重试。</translation>
    </message>
    <message>
        <source>Moved to the description: {words}</source>
        <translation>移到了描述中：{words}</translation>
    </message>
    <message>
        <source>Must be an object that describes one server</source>
        <translation>必须是描述一个服务器的对象</translation>
    </message>
    <message>
        <source>NaN and Infinity are not JSON: null stands in their place ({count})</source>
        <translation>NaN 和 Infinity 不是 JSON，已用 null 代替（{count} 处）</translation>
    </message>
    <message>
        <source>Name a folder below it, or take it out.</source>
        <translation>请改为其中的某个文件夹，或将其移除。</translation>
    </message>
    <message>
        <source>Name a method, such as tools/call.</source>
        <translation>请填写方法，例如 tools/call。</translation>
    </message>
    <message>
        <source>Name patterns were moved to the description.</source>
        <translation>名称的正则表达式移到了描述中。</translation>
    </message>
    <message>
        <source>Names are always strings.</source>
        <translation>名称总是字符串。</translation>
    </message>
    <message>
        <source>Names that no provider accepts were removed.</source>
        <translation>省略了没有提供商接受的名称。</translation>
    </message>
    <message>
        <source>Nested too deeply for this provider: any value is accepted here.</source>
        <translation>对此提供商来说嵌套过深：此处接受任何值。</translation>
    </message>
    <message>
        <source>Nested too deeply: any value is accepted here.</source>
        <translation>嵌套过深：此处接受任何值。</translation>
    </message>
    <message>
        <source>New since then: {tools}.</source>
        <translation>此后新增：{tools}。</translation>
    </message>
    <message>
        <source>No MCP servers found in {what}</source>
        <translation>在 {what} 中未找到 MCP 服务器</translation>
    </message>
    <message>
        <source>No alternative is possible; the rule was removed.</source>
        <translation>没有可能的备选项：已省略。</translation>
    </message>
    <message>
        <source>No bound: each server&apos;s own files and packages, in a folder of its name</source>
        <translation>无上限：每个服务器自己的文件和软件包，位于以其命名的文件夹中</translation>
    </message>
    <message>
        <source>No bound: they are yours. Delete them where they are listed</source>
        <translation>无上限：它们属于您。请在其列表中删除</translation>
    </message>
    <message>
        <source>No bound: they are yours. Each is a file in this folder</source>
        <translation>不限：它们是您的，每次运行在此文件夹中有一个文件</translation>
    </message>
    <message>
        <source>No bound; each goes with its server</source>
        <translation>无上限；随其服务器一起移除</translation>
    </message>
    <message>
        <source>No bound; large results of one chat: {megabytes:,} MB</source>
        <translation>无上限；单个对话的大型结果：{megabytes:,} MB</translation>
    </message>
    <message>
        <source>No browser opened the address in time.</source>
        <translation>没有浏览器及时打开该地址。</translation>
    </message>
    <message>
        <source>No built-in or local server is named {name!r}.</source>
        <translation>没有名为 {name!r} 的内置或本地服务器。</translation>
    </message>
    <message>
        <source>No program here runs packages of the kind “{kind}” without installing them.</source>
        <translation>这里没有程序能不经安装就运行“{kind}”类型的软件包。</translation>
    </message>
    <message>
        <source>No server is named {name!r}.</source>
        <translation>没有名为 {name!r} 的服务器。</translation>
    </message>
    <message>
        <source>No server named &quot;{name}&quot;</source>
        <translation>没有名为“{name}”的服务器</translation>
    </message>
    <message>
        <source>No server of the configuration file starts until you approve it again.</source>
        <translation>再次批准之前，不会启动配置文件中的任何服务器。</translation>
    </message>
    <message>
        <source>No server was recognized in this text</source>
        <translation>没有从这段文字中识别出服务器</translation>
    </message>
    <message>
        <source>No value could satisfy this rule; it was removed.</source>
        <translation>没有任何值能满足此规则；已移除。</translation>
    </message>
    <message>
        <source>Nobody says what becomes of {tools}: {why}.</source>
        <translation>没有资料说明 {tools} 会怎样：{why}。</translation>
    </message>
    <message>
        <source>Not a schema: any value is accepted here.</source>
        <translation>不是 Schema：此处接受任何值。</translation>
    </message>
    <message>
        <source>Not an install link</source>
        <translation>这不是安装链接</translation>
    </message>
    <message>
        <source>Not available now: {tools}.</source>
        <translation>目前不可用：{tools}。</translation>
    </message>
    <message>
        <source>Not of this app, or of another version</source>
        <translation>不属于本应用，或属于其他版本</translation>
    </message>
    <message>
        <source>Not offered yet, because still starting: {names}.</source>
        <translation>以下服务器仍在启动，暂不提供其工具：{names}。</translation>
    </message>
    <message>
        <source>Not valid JSON yet (line {line}, column {column}): {problem}</source>
        <translation>JSON 尚不完整（第 {line} 行第 {column} 列）：{problem}</translation>
    </message>
    <message>
        <source>Nothing listens at {address}.</source>
        <translation>{address} 上没有服务在监听。</translation>
    </message>
    <message>
        <source>Nothing was changed. Check the space on the disk.</source>
        <translation>未做任何更改。请检查磁盘空间。</translation>
    </message>
    <message>
        <source>Nothing was sent. Review and approve it with: mcp-desktop trust {name}</source>
        <translation>未发送任何内容。请查看并批准：mcp-desktop trust {name}</translation>
    </message>
    <message>
        <source>On Ubuntu, allow it in AppArmor: docs/sandbox.md says how. It is not started without its sandbox.</source>
        <translation>在 Ubuntu 上，请在 AppArmor 中允许它：做法见 docs/sandbox.md。没有沙盒时不会启动它。</translation>
    </message>
    <message>
        <source>On macOS a sandbox has a network or none, and no list of hosts</source>
        <translation>macOS 上的沙盒要么有网络，要么没有，不能只列出部分主机</translation>
    </message>
    <message>
        <source>One for each run; gone when it ends, or with the next start</source>
        <translation>每次运行一份；运行结束时或下次启动时消失</translation>
    </message>
    <message>
        <source>Only a container that its command runs can have a sandbox or limits (docker run …)</source>
        <translation>只有由它自己的命令运行的容器（docker run …）才能使用沙盒或资源限制</translation>
    </message>
    <message>
        <source>Only the first {most} servers are read.</source>
        <translation>只读取前 {most} 个服务器。</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>请重新打开。</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>Other users can change {path} or its folder</source>
        <translation>其他用户可以更改 {path} 或其文件夹</translation>
    </message>
    <message>
        <source>Port {port} on this computer is in use.</source>
        <translation>本机的端口 {port} 已被占用。</translation>
    </message>
    <message>
        <source>Properties of either part are allowed in both.</source>
        <translation>一部分的属性在两部分中都允许。</translation>
    </message>
    <message>
        <source>Properties that are never allowed were removed.</source>
        <translation>省略了不允许存在的属性。</translation>
    </message>
    <message>
        <source>Provider &quot;{name}&quot; is at {host} now, and not approved yet: it would be sent your conversations and your key for it</source>
        <translation>提供商“{name}”现位于 {host}，尚未批准：它会收到您的对话和为它保存的密钥</translation>
    </message>
    <message>
        <source>Provider &quot;{name}&quot; is not in the file</source>
        <translation>文件中没有提供商“{name}”</translation>
    </message>
    <message>
        <source>Provider &quot;{name}&quot;: {reason}</source>
        <translation>提供商“{name}”：{reason}</translation>
    </message>
    <message>
        <source>Recordings and traces</source>
        <translation>录制与跟踪文件</translation>
    </message>
    <message>
        <source>Refused: {why}.</source>
        <translation>已拒绝：{why}。</translation>
    </message>
    <message>
        <source>Reload the configuration, then try again.</source>
        <translation>请重新加载配置，然后重试。</translation>
    </message>
    <message>
        <source>Remove one of them in an editor.</source>
        <translation>请在编辑器中移除其中一个。</translation>
    </message>
    <message>
        <source>Remove or rename one of them, then reload. Nothing is saved until then.</source>
        <translation>请移除其中一个或给它改名，然后重新加载。在此之前不会写入任何内容。</translation>
    </message>
    <message>
        <source>Remove the link, or make the file that it leads to.</source>
        <translation>请移除该链接，或创建它指向的文件。</translation>
    </message>
    <message>
        <source>Remove their write permission: chmod go-w {path} {folder}</source>
        <translation>请移除他们的写入权限：chmod go-w {path} {folder}</translation>
    </message>
    <message>
        <source>Rename one of them to use both.</source>
        <translation>要同时使用两者，请给其中一个改名。</translation>
    </message>
    <message>
        <source>Rename yours to use both.</source>
        <translation>要同时使用两者，请给自己的服务器改名。</translation>
    </message>
    <message>
        <source>Renamed: {tools}, because {why}. For its model the first is {name}.</source>
        <translation>会改名：{tools}，因为{why}。第一个在它的模型那里叫 {name}。</translation>
    </message>
    <message>
        <source>Report this to the operator of the server.</source>
        <translation>请向服务器的运营者反馈。</translation>
    </message>
    <message>
        <source>Report this to the operator of the server: a proxy in front of it must pass this address on.</source>
        <translation>请向服务器的运营者反馈：它前面的代理必须转发这个地址。</translation>
    </message>
    <message>
        <source>Request less at a time, or report it to its author.</source>
        <translation>请每次向它少请求一些，或向其作者报告。</translation>
    </message>
    <message>
        <source>Requested: to open a link.</source>
        <translation>请求：打开链接。</translation>
    </message>
    <message>
        <source>Requested: to put a message into the chat.</source>
        <translation>请求：把一条消息放入对话。</translation>
    </message>
    <message>
        <source>Requested: to save a file.</source>
        <translation>请求：保存一个文件。</translation>
    </message>
    <message>
        <source>Requested: to tell the model something with your next message.</source>
        <translation>请求：随您的下一条消息告诉模型一些内容。</translation>
    </message>
    <message>
        <source>Requests fail: it takes {most} tools {per}, and there are {count}.</source>
        <translation>请求会失败：{per}它最多接受 {most} 个工具，而这里有 {count} 个。</translation>
    </message>
    <message>
        <source>Required but not declared; declarations were added: {names}.</source>
        <translation>必填但未声明；已添加声明：{names}。</translation>
    </message>
    <message>
        <source>Required names that are neither declared nor allowed were removed.</source>
        <translation>省略了既未声明也不允许的必填名称。</translation>
    </message>
    <message>
        <source>Results end after {most} characters: {tools}.</source>
        <translation>结果在 {most} 个字符后被截断：{tools}。</translation>
    </message>
    <message>
        <source>Results of more than {most} characters fail: {tools}.</source>
        <translation>超过 {most} 个字符的结果会失败：{tools}。</translation>
    </message>
    <message>
        <source>Results of more than {most} characters go to a file, of which its model gets the beginning: {tools}.</source>
        <translation>超过 {most} 个字符的结果会存为文件，它的模型只得到开头：{tools}。</translation>
    </message>
    <message>
        <source>Runs of cases</source>
        <translation>用例运行</translation>
    </message>
    <message>
        <source>Save it with the line ends of Unix (LF).</source>
        <translation>请用 Unix 换行符（LF）保存它。</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>已保存调用</translation>
    </message>
    <message>
        <source>Select fewer tools.</source>
        <translation>请选择较少的工具。</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; comes from {origin}; it can be switched on and off here, but not edited</source>
        <translation>服务器“{name}”来自{origin}；可以在此开关，但不能编辑</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; has changed since you approved it.
Now: {now}
Before: {before}</source>
        <translation>服务器“{name}”在批准后有改动。
现在：{now}
之前：{before}</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; is defined in the configuration file and in {variable}; the file takes precedence</source>
        <translation>服务器“{name}”同时在配置文件和 {variable} 中定义，以配置文件为准</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; is new and not approved yet: {now}</source>
        <translation>服务器“{name}”是新增的，尚未批准：{now}</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; is not in {path}</source>
        <translation>{path} 中没有服务器“{name}”</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot; starts or connects differently than you approved: {now}</source>
        <translation>服务器“{name}”的启动或连接方式与您批准的不同：{now}</translation>
    </message>
    <message>
        <source>Server &quot;{name}&quot;: {reason}</source>
        <translation>服务器“{name}”：{reason}</translation>
    </message>
    <message>
        <source>Server &quot;{server}&quot;: &quot;{field}&quot; needs the secret {name}, which is not in the keyring</source>
        <translation>服务器“{server}”：“{field}”需要敏感信息 {name}，但系统密钥库中没有</translation>
    </message>
    <message>
        <source>Servers that it listed may still run.</source>
        <translation>其中列出的服务器可能仍在运行。</translation>
    </message>
    <message>
        <source>Set &quot;sandbox&quot; to &quot;off&quot; to start it without one.</source>
        <translation>要在没有沙盒的情况下启动，请将 &quot;sandbox&quot; 设为 &quot;off&quot;。</translation>
    </message>
    <message>
        <source>Set &quot;type&quot; to &quot;stdio&quot; or &quot;http&quot; to choose.</source>
        <translation>请将 &quot;type&quot; 设为 &quot;stdio&quot; 或 &quot;http&quot;。</translation>
    </message>
    <message>
        <source>Set &quot;{app_key}.schemaVersion&quot; to {target} and check the settings.</source>
        <translation>请把 &quot;{app_key}.schemaVersion&quot; 设为 {target}，并检查设置。</translation>
    </message>
    <message>
        <source>Set a PEM file without a password; for cert, include its key.</source>
        <translation>请指定一个 PEM 文件；对于 cert，还需包含不带密码的密钥。</translation>
    </message>
    <message>
        <source>Set it to the mcpServers JSON, or to the path of a file that contains it.</source>
        <translation>请将其设为 mcpServers JSON，或包含它的文件路径。</translation>
    </message>
    <message>
        <source>Set the key in the environment instead.</source>
        <translation>请改为在环境中设置密钥。</translation>
    </message>
    <message>
        <source>Set {name} in the environment, or write ${{{name}:-default}}.</source>
        <translation>请在环境中设置 {name}，或写成 ${{{name}:-default}}。</translation>
    </message>
    <message>
        <source>Setting {reason}</source>
        <translation>设置 {reason}</translation>
    </message>
    <message>
        <source>Shorten this question, select fewer tools, or start the model with a larger window (llama-server -c, Ollama num_ctx).</source>
        <translation>请缩短这个问题、选择更少的工具，或用更大的上下文窗口启动模型（llama-server -c，Ollama num_ctx）。</translation>
    </message>
    <message>
        <source>Sign in again.</source>
        <translation>请重新登录。</translation>
    </message>
    <message>
        <source>Sign in on the Servers page, or with mcp-desktop login {server}. Or add a token to its headers.</source>
        <translation>请在“服务器”页面登录，或运行 mcp-desktop login {server}；也可以在其请求头中填入 token。</translation>
    </message>
    <message>
        <source>Since you allowed this tool, its server&apos;s command or address has changed.</source>
        <translation>允许此工具后，其服务器的命令或地址有变化。</translation>
    </message>
    <message>
        <source>Something else changed the file of this conversation while it was open. It is written again; what was found there is kept as {file}.</source>
        <translation>此对话的文件在打开期间被其他程序更改，已重新写入；原有内容保留为 {file}。</translation>
    </message>
    <message>
        <source>Start a new conversation, or select fewer tools.</source>
        <translation>请开始新的对话，或提供较少的工具。</translation>
    </message>
    <message>
        <source>Start a new conversation.</source>
        <translation>请新建对话。</translation>
    </message>
    <message>
        <source>Start it, then restart.</source>
        <translation>请启动它，然后重启服务器。</translation>
    </message>
    <message>
        <source>Start {program} itself, then restart the server.</source>
        <translation>请先启动 {program} 本身，再重启该服务器。</translation>
    </message>
    <message>
        <source>Started again for this conversation: {names}. What they remembered is gone.</source>
        <translation>已为此对话重启：{names}。它们之前记住的内容已丢失。</translation>
    </message>
    <message>
        <source>Status 200 and JSON with access_token, and token_type Bearer (RFC 6749, 5.1). The values sent must match those of the sign-in page.</source>
        <translation>状态 200 和 JSON：access_token，且 token_type 为 Bearer（RFC 6749，5.1）。发送的内容必须与打开页面时的请求一致。</translation>
    </message>
    <message>
        <source>Status 200 and JSON with device_code, user_code and verification_uri (RFC 8628, 3.2).</source>
        <translation>状态 200 和 JSON：device_code、user_code 和 verification_uri（RFC 8628，3.2）。</translation>
    </message>
    <message>
        <source>Status 200 and JSON with issuer (the requested address), authorization_endpoint, token_endpoint, and S256 in code_challenge_methods_supported (RFC 8414, 3). After another status the next address is tried.</source>
        <translation>状态 200 和 JSON：issuer（即所请求的地址）、authorization_endpoint、token_endpoint，以及 code_challenge_methods_supported 中的 S256（RFC 8414，3）。若为其他状态，则尝试下一个地址。</translation>
    </message>
    <message>
        <source>Status 200 and JSON with resource (the address of the server) and authorization_servers (RFC 9728, 3). After another status the next address is tried.</source>
        <translation>状态 200 和 JSON：resource（即服务器的地址）以及 authorization_servers（RFC 9728，3）。若为其他状态，则尝试下一个地址。</translation>
    </message>
    <message>
        <source>Status 201 and JSON with a client_id (RFC 7591, 3.2). A server without registration needs a client that was created there by hand: oauth.clientId in the configuration.</source>
        <translation>状态 201 和包含 client_id 的 JSON（RFC 7591，3.2）。不接受注册的服务器需要在那里手动创建客户端：配置中的 oauth.clientId。</translation>
    </message>
    <message>
        <source>Still needed: {names}</source>
        <translation>仍然缺少：{names}</translation>
    </message>
    <message>
        <source>Stop the program that uses it, or set another callbackPort.</source>
        <translation>请结束占用它的程序，或设置其他 callbackPort。</translation>
    </message>
    <message>
        <source>Store one in the settings, or set {variable}.</source>
        <translation>请在“设置”中填写，或设置环境变量 {variable}。</translation>
    </message>
    <message>
        <source>Take &quot;cpu&quot; out of its &quot;limits&quot;.</source>
        <translation>请从它的 &quot;limits&quot; 中去掉 &quot;cpu&quot;。</translation>
    </message>
    <message>
        <source>Take ownership of it: chown {user} {path}</source>
        <translation>请取得其所有权：chown {user} {path}</translation>
    </message>
    <message>
        <source>The MCP App of {tool} requests to add a text to your next message in Chat.</source>
        <translation>{tool} 的 MCP 应用请求把一段文本加入您在“对话”中的下一条消息。</translation>
    </message>
    <message>
        <source>The MCP App of {tool} requests to open a link.</source>
        <translation>{tool} 的 MCP 应用请求打开一个链接。</translation>
    </message>
    <message>
        <source>The MCP App {uri} has more than {limit} characters.</source>
        <translation>MCP 应用 {uri} 超过 {limit} 个字符。</translation>
    </message>
    <message>
        <source>The MCP App {uri} is empty.</source>
        <translation>MCP 应用 {uri} 为空。</translation>
    </message>
    <message>
        <source>The URI would have {count} characters; the limit is {limit}.</source>
        <translation>该 URI 会有 {count} 个字符；上限是 {limit}。</translation>
    </message>
    <message>
        <source>The address of the file {problem}.</source>
        <translation>文件地址{problem}。</translation>
    </message>
    <message>
        <source>The answer broke off. {why}</source>
        <translation>回答中断。{why}</translation>
    </message>
    <message>
        <source>The answer is not that of an MCP registry.</source>
        <translation>这不是 MCP 注册中心的响应。</translation>
    </message>
    <message>
        <source>The answer to {name} must not contain ${{</source>
        <translation>对 {name} 的回答中不能包含 ${{</translation>
    </message>
    <message>
        <source>The answer was cut here: it has more than {count} calls. The first {count} were taken.</source>
        <translation>回答在此截断：其中的调用超过 {count} 次，仅采用前 {count} 次。</translation>
    </message>
    <message>
        <source>The answer was cut here: it is longer than what is taken of one.</source>
        <translation>回答在此被截断：长度超过了单次回答的接收上限。</translation>
    </message>
    <message>
        <source>The app cannot speak the transport “{kind}”.</source>
        <translation>应用不支持传输方式“{kind}”。</translation>
    </message>
    <message>
        <source>The app is closing.</source>
        <translation>应用正在关闭。</translation>
    </message>
    <message>
        <source>The arguments must be a JSON object: {{ … }}</source>
        <translation>参数必须是 JSON 对象：{{ … }}</translation>
    </message>
    <message>
        <source>The bundle is made for {platforms}, and this is {here}.</source>
        <translation>这个 MCP 包用于 {platforms}，而这里是 {here}。</translation>
    </message>
    <message>
        <source>The certificate violates a rule that Python checks from version 3.13 on. Its issuer has to replace it.</source>
        <translation>该证书违反了 Python 3.13 起检查的规则。签发者需要更换它。</translation>
    </message>
    <message>
        <source>The change cannot be written as JSON: {error}</source>
        <translation>无法把更改写成 JSON：{error}</translation>
    </message>
    <message>
        <source>The command &quot;{command}&quot; does not exist</source>
        <translation>命令“{command}”不存在</translation>
    </message>
    <message>
        <source>The command &quot;{command}&quot; does not exist in the folder {cwd}</source>
        <translation>从文件夹 {cwd} 出发，命令“{command}”不存在</translation>
    </message>
    <message>
        <source>The command &quot;{command}&quot; was not found. Searched PATH:</source>
        <translation>找不到命令“{command}”。搜索过的 PATH：</translation>
    </message>
    <message>
        <source>The command &quot;{command}&quot; was not found: the PATH is empty</source>
        <translation>找不到命令“{command}”：PATH 为空</translation>
    </message>
    <message>
        <source>The condition was removed because it was relaxed.</source>
        <translation>省略了该条件，因为它已放宽。</translation>
    </message>
    <message>
        <source>The config in the link is not valid base64</source>
        <translation>链接中的 config 不是 base64</translation>
    </message>
    <message>
        <source>The connection to {label} broke off.</source>
        <translation>与 {label} 的连接中断。</translation>
    </message>
    <message>
        <source>The content check of {label} refused this: {said}</source>
        <translation>{label} 的内容安全审核拦截了此内容：{said}</translation>
    </message>
    <message>
        <source>The conversation is too long for {label}: {said}</source>
        <translation>对 {label} 来说对话太长：{said}</translation>
    </message>
    <message>
        <source>The disk is full. Make room on it, or delete calls.</source>
        <translation>磁盘已满。请腾出空间，或删除一些调用。</translation>
    </message>
    <message>
        <source>The disk reports an error. Check it, and copy the file elsewhere.</source>
        <translation>磁盘报告了错误。请检查磁盘，并将文件复制到别处。</translation>
    </message>
    <message>
        <source>The entry cannot be changed in {path} without changing more</source>
        <translation>无法只更改 {path} 中的该条目而不改动其他内容</translation>
    </message>
    <message>
        <source>The estimate is all that there is.</source>
        <translation>只有估算值可用。</translation>
    </message>
    <message>
        <source>The file cannot be kept: {error}</source>
        <translation>无法保存文件：{error}</translation>
    </message>
    <message>
        <source>The file from {host} is larger than {limit} MB.</source>
        <translation>来自 {host} 的文件大于 {limit} MB。</translation>
    </message>
    <message>
        <source>The file from {host} is not the one of the entry.</source>
        <translation>来自 {host} 的文件不是条目所指的那一个。</translation>
    </message>
    <message>
        <source>The file has both {both}; keep the servers in one of them</source>
        <translation>文件中同时有 {both}；请把服务器放在其中一个里</translation>
    </message>
    <message>
        <source>The file is {count} bytes shorter than it was: its end is missing.</source>
        <translation>文件比原来短 {count} 字节：结尾部分缺失。</translation>
    </message>
    <message>
        <source>The file may have been removed: look at its repository.</source>
        <translation>文件可能已被删除：请查看它的代码仓库。</translation>
    </message>
    <message>
        <source>The file of this conversation was removed while it was open. It is written again.</source>
        <translation>此对话的文件在打开期间被删除，已重新写入。</translation>
    </message>
    <message>
        <source>The file was changed after it was downloaded.</source>
        <translation>文件在下载之后被改动了。</translation>
    </message>
    <message>
        <source>The file was written by a newer version of the app (schema {version}; this one supports {schema_version}) and is opened read-only</source>
        <translation>该文件由更新版本的应用写入（Schema {version}，此版本支持 {schema_version}），以只读方式打开</translation>
    </message>
    <message>
        <source>The folder {cwd} (cwd) does not exist</source>
        <translation>文件夹 {cwd}（cwd）不存在</translation>
    </message>
    <message>
        <source>The history {path} cannot be used: {reason}.</source>
        <translation>无法使用历史记录 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The instructions of the server end after {most} characters of {count}.</source>
        <translation>服务器的使用说明共 {count} 个字符，在 {most} 个字符后被截断。</translation>
    </message>
    <message>
        <source>The item list was replaced by &apos;prefixItems&apos;.</source>
        <translation>项目列表现在是“prefixItems”。</translation>
    </message>
    <message>
        <source>The key &quot;{path}&quot; appears twice in the file (lines {places}); saving would lose one of them</source>
        <translation>键“{path}”在文件中出现了两次（第 {places} 行）；保存会丢失其中一个</translation>
    </message>
    <message>
        <source>The keyring did not respond within {limit:g} seconds.</source>
        <translation>系统密钥库在 {limit:g} 秒内未响应。</translation>
    </message>
    <message>
        <source>The last line of the conversation could not be read (cut off when the app ended?).</source>
        <translation>无法读取对话的最后一行（可能在应用退出时被截断）。</translation>
    </message>
    <message>
        <source>The limit of your plan at {label} is used up: {said}</source>
        <translation>您在 {label} 的套餐额度已用完：{said}</translation>
    </message>
    <message>
        <source>The limit of {turns} turns is reached; the model was not done.</source>
        <translation>已达到 {turns} 轮的上限，模型尚未完成。</translation>
    </message>
    <message>
        <source>The link</source>
        <translation>该链接</translation>
    </message>
    <message>
        <source>The link contains no config</source>
        <translation>链接中没有 config</translation>
    </message>
    <message>
        <source>The link is longer than {limit} kB</source>
        <translation>链接长于 {limit} kB</translation>
    </message>
    <message>
        <source>The logs of servers that are not configured any more go.</source>
        <translation>不再配置的服务器的日志将删除。</translation>
    </message>
    <message>
        <source>The manifest of the bundle names no program to run.</source>
        <translation>MCP 包的清单没有写明要运行的程序。</translation>
    </message>
    <message>
        <source>The model answered nothing.</source>
        <translation>模型没有给出任何回答。</translation>
    </message>
    <message>
        <source>The model did not take back what it thought: {said}</source>
        <translation>模型不接受其之前的思考过程：{said}</translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation>模型没有给出回答。</translation>
    </message>
    <message>
        <source>The model is told of the tools that there are now. What it thought before is not sent any more: it was tied to the earlier tools.</source>
        <translation>现在会把当前的工具告知模型。它之前的思考过程不再发送：那些内容与之前的工具绑定。</translation>
    </message>
    <message>
        <source>The model made an invalid call: {words}</source>
        <translation>模型作出了无效的调用：{words}</translation>
    </message>
    <message>
        <source>The model made the same call {count} times, with the same result: {tool}.</source>
        <translation>模型第 {count} 次发起同一调用，结果始终相同：{tool}。</translation>
    </message>
    <message>
        <source>The model reached its output limit {count} times in a row, in the middle of a call ({tokens:,} tokens). Ask for less at a time, or set a larger maxTokens for the provider.</source>
        <translation>模型连续 {count} 次在调用写到一半时达到输出上限（{tokens:,} 个 token）。请一次少要求一些内容，或为该提供商设置更大的 maxTokens。</translation>
    </message>
    <message>
        <source>The model wrote more than is taken of one answer {count} times in a row, in the middle of a call. Ask for less at a time.</source>
        <translation>模型连续 {count} 次在调用中途写出超过单个回答上限的内容。请每次少要求一些。</translation>
    </message>
    <message>
        <source>The model&apos;s answer did not end.</source>
        <translation>模型的回答没有结束。</translation>
    </message>
    <message>
        <source>The name “{name}” is in use</source>
        <translation>名称“{name}”已被使用</translation>
    </message>
    <message>
        <source>The new version cannot be used the same way.</source>
        <translation>新版本不能以同样的方式使用。</translation>
    </message>
    <message>
        <source>The next connection to some servers takes longer, once.</source>
        <translation>下次连接某些服务器会较慢，仅一次。</translation>
    </message>
    <message>
        <source>The operator of the server has to renew its certificate.</source>
        <translation>服务器的运营者需要更新它的证书。</translation>
    </message>
    <message>
        <source>The originals of files that were damaged or of another version go, with what is in them.</source>
        <translation>已损坏或属于其他版本的原文件及其内容都将删除。</translation>
    </message>
    <message>
        <source>The page stopped reading.</source>
        <translation>页面已停止读取。</translation>
    </message>
    <message>
        <source>The page was closed.</source>
        <translation>页面已关闭。</translation>
    </message>
    <message>
        <source>The parameter was renamed to {name!r}: Anthropic rejects its original name.</source>
        <translation>该参数改名为 {name!r}：Anthropic 拒绝它原来的名称。</translation>
    </message>
    <message>
        <source>The parameters are nested too deeply.</source>
        <translation>参数嵌套过深。</translation>
    </message>
    <message>
        <source>The parameters are not JSON (line {line}, column {column}): {words}.</source>
        <translation>参数不是有效的 JSON（第 {line} 行第 {column} 列）：{words}。</translation>
    </message>
    <message>
        <source>The parameters are too long.</source>
        <translation>参数过长。</translation>
    </message>
    <message>
        <source>The parameters must be a JSON object.</source>
        <translation>参数必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>The pattern was moved to the description: OpenAI does not support its dialect.</source>
        <translation>正则表达式移到了描述中：OpenAI 不支持它的写法。</translation>
    </message>
    <message>
        <source>The provider did not take back what the model thought earlier in this conversation. It was left out, and the question was sent once more.</source>
        <translation>提供商不接受模型在此对话中之前的思考过程。已略去这部分内容，并重新发送了问题。</translation>
    </message>
    <message>
        <source>The recording has no call of {tool}.</source>
        <translation>录制中没有对 {tool} 的调用。</translation>
    </message>
    <message>
        <source>The recording has no server “{name}”.</source>
        <translation>录制中没有服务器“{name}”。</translation>
    </message>
    <message>
        <source>The recording has no whole answer to {tool} with these arguments; calls of it that were recorded: {count}.</source>
        <translation>录制中没有以这些参数调用 {tool} 的完整结果；已录制的此工具的调用：{count} 次。</translation>
    </message>
    <message>
        <source>The recursion is cut here: Gemini rejects circular references.</source>
        <translation>递归在此截断：Gemini 拒绝循环引用。</translation>
    </message>
    <message>
        <source>The reference was replaced by its target.</source>
        <translation>引用已替换为它所指的内容。</translation>
    </message>
    <message>
        <source>The reference {reference} points to nothing: any value is accepted here.</source>
        <translation>引用 {reference} 没有目标：此处接受任何值。</translation>
    </message>
    <message>
        <source>The registry has removed this server: look at it again.</source>
        <translation>注册中心已移除此服务器：请重新查看它。</translation>
    </message>
    <message>
        <source>The rule {keyword!r} was not kept.</source>
        <translation>规则 {keyword!r} 没有保留。</translation>
    </message>
    <message>
        <source>The rule {name!r} could not be applied: {why}</source>
        <translation>规则“{name}”无法应用：{why}</translation>
    </message>
    <message>
        <source>The schema is not an object; an empty one is sent instead.</source>
        <translation>Schema 不是对象，改为发送一个空的 Schema。</translation>
    </message>
    <message>
        <source>The schema or the value is too complex to be fully checked.</source>
        <translation>Schema 或值过于复杂，未能全部检查。</translation>
    </message>
    <message>
        <source>The secret {name} is empty or too long</source>
        <translation>敏感信息 {name} 为空或过长</translation>
    </message>
    <message>
        <source>The secrets are still in the keyring, but are not listed.</source>
        <translation>敏感信息仍在系统密钥库中，但不会列出。</translation>
    </message>
    <message>
        <source>The server &quot;{server}&quot; of this tool is not connected now ({state}). Its tools work again once it is; until then go on without them.</source>
        <translation>此工具所属的服务器 &quot;{server}&quot; 当前未连接（{state}）。恢复连接后，其工具即可继续使用；在此之前请不要依赖它们。</translation>
    </message>
    <message>
        <source>The server &quot;{server}&quot; of this tool is switched off. Go on without it.</source>
        <translation>此工具所属的服务器 &quot;{server}&quot; 已停用。请不要依赖它继续。</translation>
    </message>
    <message>
        <source>The server &quot;{server}&quot; of this tool was removed. Go on without it.</source>
        <translation>此工具所属的服务器 &quot;{server}&quot; 已被移除。请不要依赖它继续。</translation>
    </message>
    <message>
        <source>The server cannot be used</source>
        <translation>该服务器无法使用</translation>
    </message>
    <message>
        <source>The session is at work.</source>
        <translation>会话正在运行。</translation>
    </message>
    <message>
        <source>The session is closed.</source>
        <translation>会话已关闭。</translation>
    </message>
    <message>
        <source>The session is open already.</source>
        <translation>会话已在别处打开。</translation>
    </message>
    <message>
        <source>The session is open.</source>
        <translation>会话处于打开状态。</translation>
    </message>
    <message>
        <source>The sign-in page, requested with PKCE (RFC 7636), a state, and the server as resource (RFC 8707).</source>
        <translation>登录页面，请求时附带 PKCE（RFC 7636）、state，并以该服务器作为 resource（RFC 8707）。</translation>
    </message>
    <message>
        <source>The system does not let bubblewrap work: {why}</source>
        <translation>系统不允许 bubblewrap 工作：{why}</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>该文本</translation>
    </message>
    <message>
        <source>The text is too long for the entry of a server</source>
        <translation>这段文字太长，不可能是服务器条目</translation>
    </message>
    <message>
        <source>The time for one question ({seconds:g} s) is over.</source>
        <translation>已超过一次提问的时间上限（{seconds:g} 秒）。</translation>
    </message>
    <message>
        <source>The tool &quot;{tool}&quot; is not available now: its server does not list it any more. Go on without it.</source>
        <translation>工具“{tool}”目前不可用：其服务器不再列出它。请在没有它的情况下继续。</translation>
    </message>
    <message>
        <source>The tool &quot;{tool}&quot; is not available now: the person took it out of this conversation. Go on without it.</source>
        <translation>工具“{tool}”目前不可用：用户已将其移出此对话。请在没有它的情况下继续。</translation>
    </message>
    <message>
        <source>The tool&apos;s schema cannot be checked: {why}</source>
        <translation>无法检查该工具的 Schema：{why}</translation>
    </message>
    <message>
        <source>The tool&apos;s schema cannot be read: {why}</source>
        <translation>无法读取该工具的 Schema：{why}</translation>
    </message>
    <message>
        <source>The tool&apos;s schema could not be fully checked: {why}</source>
        <translation>该工具的 Schema 未能全部检查：{why}</translation>
    </message>
    <message>
        <source>The tool&apos;s schema is not an object, so nothing was checked.</source>
        <translation>该工具的 Schema 不是对象，因此未做任何检查。</translation>
    </message>
    <message>
        <source>The tool&apos;s schema is not valid at {where}: {why}</source>
        <translation>该工具的 Schema 在 {where} 处无效：{why}</translation>
    </message>
    <message>
        <source>The tool&apos;s schema is not valid: {why}</source>
        <translation>该工具的 Schema 无效：{why}</translation>
    </message>
    <message>
        <source>The tool&apos;s schema is too large or too deep to be validated.</source>
        <translation>该工具的 Schema 过大或过深，无法检查 Schema 本身。</translation>
    </message>
    <message>
        <source>The tools of your server “{server}” are not offered here: its name is that of the session&apos;s own tools. Give it another name.</source>
        <translation>此处不提供服务器“{server}”的工具：它与会话自带的工具重名。请为它改名。</translation>
    </message>
    <message>
        <source>The tools take about {tokens:,} tokens, and {model} reads {window:,} at most. Nothing was sent.</source>
        <translation>工具约占 {tokens:,} 个 token，而 {model} 最多读取 {window:,} 个。未发送任何内容。</translation>
    </message>
    <message>
        <source>The tools take {percent} % of the window of {model} before anything was said.</source>
        <translation>对话尚未开始，工具就占用 {model} 上下文窗口的 {percent} %。</translation>
    </message>
    <message>
        <source>The top-level &apos;allOf&apos; was merged.</source>
        <translation>顶层“allOf”的各部分合为一个。</translation>
    </message>
    <message>
        <source>The top-level alternatives were merged into one object.</source>
        <translation>顶层的各个备选项合为一个对象。</translation>
    </message>
    <message>
        <source>The type was changed to &apos;object&apos;: arguments are always an object.</source>
        <translation>类型变成了“object”：参数总是一个对象。</translation>
    </message>
    <message>
        <source>The values were rewritten in the form that Gemini accepts.</source>
        <translation>各个值已改写为 Gemini 接受的形式。</translation>
    </message>
    <message>
        <source>The window begins without what it remembered.</source>
        <translation>窗口启动时不使用先前记住的内容。</translation>
    </message>
    <message>
        <source>The window of the model is nearly full: of older tool results, only the beginning is sent from now on. The model can read on in each.</source>
        <translation>模型的上下文窗口快满了：较早的工具结果从现在起只发送开头。模型可以继续读取其余部分。</translation>
    </message>
    <message>
        <source>There are: {names}.</source>
        <translation>现有：{names}。</translation>
    </message>
    <message>
        <source>There is no file or folder {file}.</source>
        <translation>没有文件或文件夹 {file}。</translation>
    </message>
    <message>
        <source>There is no folder for bundles here.</source>
        <translation>这里没有存放 MCP 包的文件夹。</translation>
    </message>
    <message>
        <source>There is no key for {label}.</source>
        <translation>未设置 {label} 的密钥。</translation>
    </message>
    <message>
        <source>There is no preset &quot;{name}&quot;.</source>
        <translation>没有名为“{name}”的预设。</translation>
    </message>
    <message>
        <source>There is no sandbox here: bubblewrap is not installed.</source>
        <translation>此处没有沙盒：未安装 bubblewrap。</translation>
    </message>
    <message>
        <source>There is no server {name!r}.</source>
        <translation>没有服务器“{name}”。</translation>
    </message>
    <message>
        <source>There is no session {session}.</source>
        <translation>没有对话 {session}。</translation>
    </message>
    <message>
        <source>These have one name for its model, {name}: {tools}.</source>
        <translation>这些工具在它的模型那里同名，都叫 {name}：{tools}。</translation>
    </message>
    <message>
        <source>These tools are too many to be counted by {label}.</source>
        <translation>工具过多，{label} 无法计数。</translation>
    </message>
    <message>
        <source>This JSON contains no server</source>
        <translation>此 JSON 中没有服务器</translation>
    </message>
    <message>
        <source>This conversation is not saved: {file}: {reason}. It is kept in memory and written with your next question, if the disk takes it then.</source>
        <translation>此对话未能保存：{file}：{reason}。内容保留在内存中，下次提问时若磁盘可用即会写入。</translation>
    </message>
    <message>
        <source>This conversation is saved again, with all of it.</source>
        <translation>此对话已重新保存，内容完整。</translation>
    </message>
    <message>
        <source>This conversation keeps the tools that it began with.</source>
        <translation>此对话保留开始时的工具。</translation>
    </message>
    <message>
        <source>This conversation takes {size} MB on the disk. Above {most} MB it cannot be opened again: go on in a new one.</source>
        <translation>此对话在磁盘上已占用 {size} MB。超过 {most} MB 后将无法再次打开，请新建对话继续。</translation>
    </message>
    <message>
        <source>This desktop has no keyring to store keys in.</source>
        <translation>此系统没有可以保存密钥的密钥库。</translation>
    </message>
    <message>
        <source>This goes on from another conversation. What is known of it:

{summary}</source>
        <translation>本对话接着另一个对话继续。已知的内容：

{summary}</translation>
    </message>
    <message>
        <source>This is said twice.</source>
        <translation>这一项重复了。</translation>
    </message>
    <message>
        <source>This is the address of a server, not a program.</source>
        <translation>这是服务器的地址，不是程序。</translation>
    </message>
    <message>
        <source>This is the page of a project, not the address of a server</source>
        <translation>这是项目的网页，不是服务器的地址</translation>
    </message>
    <message>
        <source>This model does not see pictures: {said}</source>
        <translation>此模型无法识别图片：{said}</translation>
    </message>
    <message>
        <source>This request is no longer open.</source>
        <translation>此请求已不再等待回答。</translation>
    </message>
    <message>
        <source>This start shows servers and tools once they are connected.</source>
        <translation>本次启动在连接后才显示服务器和工具。</translation>
    </message>
    <message>
        <source>This version of the app cannot read files with schema version {version}</source>
        <translation>此版本无法读取 Schema 版本为 {version} 的文件</translation>
    </message>
    <message>
        <source>Times are in seconds here; some other clients use milliseconds.</source>
        <translation>这里的时间以秒为单位；有些别的客户端写毫秒。</translation>
    </message>
    <message>
        <source>Too many MCP Apps were open.</source>
        <translation>打开的 MCP 应用过多。</translation>
    </message>
    <message>
        <source>Too many calls in one turn. The model was told that these were not sent: {count}.</source>
        <translation>单轮调用过多：有 {count} 个调用未发送，已告知模型。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Try again later. If it stays so, sign in again.</source>
        <translation>请稍后重试。如果问题依旧，请重新登录。</translation>
    </message>
    <message>
        <source>Try again, or choose another model.</source>
        <translation>请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try the change again.</source>
        <translation>请重试此更改。</translation>
    </message>
    <message>
        <source>Two conditions conflict; the first was kept.</source>
        <translation>两个条件冲突；保留了第一个。</translation>
    </message>
    <message>
        <source>Two item lists conflict; the first was kept.</source>
        <translation>两个项目列表冲突；保留了第一个。</translation>
    </message>
    <message>
        <source>Two rules for additional properties conflict; one was kept.</source>
        <translation>两条关于其他属性的规则冲突；保留了一条。</translation>
    </message>
    <message>
        <source>Two {keyword!r} rules conflict; the first was kept.</source>
        <translation>两条 {keyword!r} 规则冲突；保留了第一条。</translation>
    </message>
    <message>
        <source>Unescaped control character</source>
        <translation>未转义的控制字符</translation>
    </message>
    <message>
        <source>Unlock it, or set the key in the environment.</source>
        <translation>请解锁它，或在环境中设置密钥。</translation>
    </message>
    <message>
        <source>Unpack {name} (a zip) into a folder, and import the manifest.json there.</source>
        <translation>请把 {name}（zip）解压到一个文件夹，然后导入其中的 manifest.json。</translation>
    </message>
    <message>
        <source>Unterminated array</source>
        <translation>列表没有结束</translation>
    </message>
    <message>
        <source>Unterminated comment</source>
        <translation>注释没有结束</translation>
    </message>
    <message>
        <source>Unterminated object</source>
        <translation>对象没有结束</translation>
    </message>
    <message>
        <source>Unterminated string</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>Unterminated string starting at</source>
        <translation>字符串没有结束</translation>
    </message>
    <message>
        <source>Update the app to open it.</source>
        <translation>请更新应用后再打开。</translation>
    </message>
    <message>
        <source>Update the app, or choose another file with --config.</source>
        <translation>请更新应用，或用 --config 使用另一个文件。</translation>
    </message>
    <message>
        <source>Use ${{VAR}} instead and set that variable in your environment.</source>
        <translation>请改写为 ${{VAR}}，并在您的环境中设置该变量。</translation>
    </message>
    <message>
        <source>Use a browser: mcp-desktop login SERVER --paste.</source>
        <translation>请使用浏览器：mcp-desktop login SERVER --paste。</translation>
    </message>
    <message>
        <source>Use an HTTP or SOCKS5 proxy instead, or add the server&apos;s host to NO_PROXY.</source>
        <translation>请改用 HTTP 或 SOCKS5 代理，或将服务器的主机加入 NO_PROXY。</translation>
    </message>
    <message>
        <source>Use an address that the server allows, or add this one to its list.</source>
        <translation>请使用该服务器允许的地址，或将此地址加入其允许列表。</translation>
    </message>
    <message>
        <source>Use letters, digits and . _ -, starting with a letter.</source>
        <translation>可以使用字母、数字和 . _ -，以字母开头。</translation>
    </message>
    <message>
        <source>Use the host name of the certificate in its URL.</source>
        <translation>请让它的 URL 使用证书所属的主机名。</translation>
    </message>
    <message>
        <source>Wait a little, or choose another model.</source>
        <translation>请稍等，或选择另一个模型。</translation>
    </message>
    <message>
        <source>Wait a while, then restart it.</source>
        <translation>请稍候，然后重启它。</translation>
    </message>
    <message>
        <source>Wait for it, or stop it.</source>
        <translation>请等待它完成，或将其停止。</translation>
    </message>
    <message>
        <source>Wait until it is renewed, or use another provider.</source>
        <translation>请等待额度恢复，或使用其他提供商。</translation>
    </message>
    <message>
        <source>What can be read of it is shown. If that is nothing, delete it.</source>
        <translation>其中可读取的内容会显示出来；若什么也没有，请将其删除。</translation>
    </message>
    <message>
        <source>What can be read of it is used.</source>
        <translation>其中可读的部分会被使用。</translation>
    </message>
    <message>
        <source>What it runs is known once it is downloaded.</source>
        <translation>下载之后才知道它运行什么。</translation>
    </message>
    <message>
        <source>What the model thought before is not sent any more, either.</source>
        <translation>模型之前的思考内容也不再发送。</translation>
    </message>
    <message>
        <source>Write each argument separately, for example &quot;args&quot;: [&quot;-y&quot;, &quot;package&quot;]; this looks like {count}.</source>
        <translation>请把每个参数分开写，例如 &quot;args&quot;: [&quot;-y&quot;, &quot;package&quot;]；这里看起来有 {count} 个。</translation>
    </message>
    <message>
        <source>Write the secret in place of {mark}.</source>
        <translation>请将 {mark} 替换为实际内容。</translation>
    </message>
    <message>
        <source>Write {meant} in its place.</source>
        <translation>请改用半角 {meant}。</translation>
    </message>
    <message>
        <source>You have this server already: “{name}”</source>
        <translation>您已有这个服务器：“{name}”</translation>
    </message>
    <message>
        <source>Your decision counts for this call only: {error}</source>
        <translation>您的决定只对此次调用有效：{error}</translation>
    </message>
    <message>
        <source>Your server &quot;{name}&quot; replaces the built-in server of the same name</source>
        <translation>您添加的服务器“{name}”取代了同名的内置服务器</translation>
    </message>
    <message>
        <source>a JSON pointer such as /items/0</source>
        <translation>JSON 指针，例如 /items/0</translation>
    </message>
    <message>
        <source>a URL or a path</source>
        <translation>地址或路径</translation>
    </message>
    <message>
        <source>a UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>a comma is missing</source>
        <translation>缺少逗号</translation>
    </message>
    <message>
        <source>a compressed answer, though none was asked for</source>
        <translation>未经请求的压缩响应</translation>
    </message>
    <message>
        <source>a content block is of an unknown type</source>
        <translation>有一个内容块的类型未知</translation>
    </message>
    <message>
        <source>a count without a number</source>
        <translation>没有数值的计数</translation>
    </message>
    <message>
        <source>a date and time such as 2026-01-31T13:45:00Z</source>
        <translation>日期和时间，例如 2026-01-31T13:45:00Z</translation>
    </message>
    <message>
        <source>a date such as 2026-01-31</source>
        <translation>日期，例如 2026-01-31</translation>
    </message>
    <message>
        <source>a document of type {kind}</source>
        <translation>类型为 {kind} 的文档</translation>
    </message>
    <message>
        <source>a duration such as PT1H30M</source>
        <translation>时长，例如 PT1H30M</translation>
    </message>
    <message>
        <source>a full URL such as https://example.com</source>
        <translation>完整的地址，例如 https://example.com</translation>
    </message>
    <message>
        <source>a host name such as example.com</source>
        <translation>主机名，例如 example.com</translation>
    </message>
    <message>
        <source>a link does not begin with https://</source>
        <translation>链接不以 https:// 开头</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a message has more than {limit} bytes</source>
        <translation>一条消息超过 {limit} 字节</translation>
    </message>
    <message>
        <source>a message is from {role}</source>
        <translation>一条消息来自 {role}</translation>
    </message>
    <message>
        <source>a message is not JSON-RPC</source>
        <translation>一条消息不是 JSON-RPC</translation>
    </message>
    <message>
        <source>a message of JSON-RPC, as MCP servers send it</source>
        <translation>一条 JSON-RPC 消息，如同 MCP 服务器发送的那样</translation>
    </message>
    <message>
        <source>a name has at most {most} characters</source>
        <translation>名称最多 {most} 个字符</translation>
    </message>
    <message>
        <source>a newer version of the app has written it</source>
        <translation>它由较新版本的应用写入</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number of {count} digits is too long</source>
        <translation>一个有 {count} 位的数字太长</translation>
    </message>
    <message>
        <source>a part of it has no URI</source>
        <translation>其中一部分没有 URI</translation>
    </message>
    <message>
        <source>a part of it is neither text nor bytes</source>
        <translation>其中一部分既不是文本也不是字节</translation>
    </message>
    <message>
        <source>a property is not named as {pattern} allows</source>
        <translation>有属性的名称不符合 {pattern}</translation>
    </message>
    <message>
        <source>a regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>a resource without a subscription</source>
        <translation>没有人订阅的资源</translation>
    </message>
    <message>
        <source>a time such as 13:45:00</source>
        <translation>时间，例如 13:45:00</translation>
    </message>
    <message>
        <source>a type in the {schema} is a list</source>
        <translation>{schema} 中有类型写成了列表</translation>
    </message>
    <message>
        <source>a value is nested too deeply</source>
        <translation>某个值嵌套过深</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>all that you may</source>
        <translation>您能访问的一切</translation>
    </message>
    <message>
        <source>already exists</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>an IPv4 address</source>
        <translation>IPv4 地址</translation>
    </message>
    <message>
        <source>an IPv6 address</source>
        <translation>IPv6 地址</translation>
    </message>
    <message>
        <source>an answer has more than {n} bytes</source>
        <translation>一条响应超过 {n} 字节</translation>
    </message>
    <message>
        <source>an e-mail address</source>
        <translation>电子邮件地址</translation>
    </message>
    <message>
        <source>an error was expected, but the call succeeded: {output}</source>
        <translation>应当出错，但调用成功了：{output}</translation>
    </message>
    <message>
        <source>an error without a reason (code {code})</source>
        <translation>未说明原因的错误（代码 {code}）</translation>
    </message>
    <message>
        <source>an event is not a message: {text}</source>
        <translation>有一个事件不是消息：{text}</translation>
    </message>
    <message>
        <source>an event of another shape</source>
        <translation>格式不符的事件</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>at line {line}, column {column}</source>
        <translation>第 {line} 行第 {column} 列</translation>
    </message>
    <message>
        <source>because of another value</source>
        <translation>由另一个值决定</translation>
    </message>
    <message>
        <source>breaks the tool&apos;s own outputSchema: {issue}</source>
        <translation>不符合该工具自己的 outputSchema：{issue}</translation>
    </message>
    <message>
        <source>called a tool that it was not given</source>
        <translation>调用了未提供给它的工具</translation>
    </message>
    <message>
        <source>called too many tools at once</source>
        <translation>一次调用了过多工具</translation>
    </message>
    <message>
        <source>called were {tools}</source>
        <translation>实际调用了 {tools}</translation>
    </message>
    <message>
        <source>calls {tool}</source>
        <translation>调用 {tool}</translation>
    </message>
    <message>
        <source>calls {tool}, and the server asked back</source>
        <translation>调用 {tool}，服务器随后提出了询问</translation>
    </message>
    <message>
        <source>closed the connection</source>
        <translation>关闭了连接</translation>
    </message>
    <message>
        <source>contains a file with a path outside the bundle: {name!r}</source>
        <translation>包含路径指向 MCP 包外的文件：{name!r}</translation>
    </message>
    <message>
        <source>contains a file with a suspicious compression ratio: {name!r}</source>
        <translation>包含压缩率高得可疑的文件：{name!r}</translation>
    </message>
    <message>
        <source>contains a link or a device: {name!r}</source>
        <translation>包含链接或设备：{name!r}</translation>
    </message>
    <message>
        <source>contains items that are not allowed</source>
        <translation>含有不允许的项</translation>
    </message>
    <message>
        <source>contains more than {limit} files</source>
        <translation>包含超过 {limit} 个文件</translation>
    </message>
    <message>
        <source>contains no item of the required kind</source>
        <translation>缺少必须包含的那种项</translation>
    </message>
    <message>
        <source>contains properties that are not allowed</source>
        <translation>含有不允许的属性</translation>
    </message>
    <message>
        <source>contains too few items of the required kind</source>
        <translation>必须包含的那种项太少</translation>
    </message>
    <message>
        <source>contains too many items of one kind</source>
        <translation>某一种项太多</translation>
    </message>
    <message>
        <source>contains two files named {name!r}</source>
        <translation>包含两个名为 {name!r} 的文件</translation>
    </message>
    <message>
        <source>content is missing</source>
        <translation>缺少 content</translation>
    </message>
    <message>
        <source>content is not a list</source>
        <translation>content 不是列表</translation>
    </message>
    <message>
        <source>cost {cost}</source>
        <translation>费用 {cost}</translation>
    </message>
    <message>
        <source>did you mean {name!r}?</source>
        <translation>是否指“{name}”？</translation>
    </message>
    <message>
        <source>does not look like {format}</source>
        <translation>看起来不像{format}</translation>
    </message>
    <message>
        <source>duplicate key {key!r}</source>
        <translation>键 {key!r} 重复</translation>
    </message>
    <message>
        <source>ended, because the process that watches the servers had ended</source>
        <translation>因监视服务器的进程结束而随之结束</translation>
    </message>
    <message>
        <source>entry {number} was skipped: {problems}</source>
        <translation>已跳过第 {number} 项：{problems}</translation>
    </message>
    <message>
        <source>exited with code {code}</source>
        <translation>已退出，代码 {code}</translation>
    </message>
    <message>
        <source>file not found: {path}</source>
        <translation>找不到文件 {path}</translation>
    </message>
    <message>
        <source>has a callbackHost that is not localhost or 127.0.0.1</source>
        <translation>的 callbackHost 不是 localhost 或 127.0.0.1</translation>
    </message>
    <message>
        <source>has a callbackPort that is not a port number</source>
        <translation>的 callbackPort 不是端口号</translation>
    </message>
    <message>
        <source>has a header name that HTTP does not allow: {name!r}</source>
        <translation>含有 HTTP 不允许的请求头名称：{name!r}</translation>
    </message>
    <message>
        <source>has a key but no cert</source>
        <translation>有 key，但没有它所属的 cert</translation>
    </message>
    <message>
        <source>has a line break in the value of {name}</source>
        <translation>{name} 的值中有换行</translation>
    </message>
    <message>
        <source>has a non-ASCII character in the value of {name}, which HTTP headers cannot carry</source>
        <translation>{name} 的值中有 HTTP 请求头不能携带的字符（只能用 ASCII）</translation>
    </message>
    <message>
        <source>has a variable with an empty name or with = in its name</source>
        <translation>含有名称为空或名称中带有 = 的变量</translation>
    </message>
    <message>
        <source>has a {manifest} larger than {limit} MB</source>
        <translation>中的 {manifest} 大于 {limit} MB</translation>
    </message>
    <message>
        <source>has both &quot;command&quot; and &quot;url&quot;</source>
        <translation>同时有 &quot;command&quot; 和 &quot;url&quot;</translation>
    </message>
    <message>
        <source>has grantType {grant!r}; it must be one of {known}</source>
        <translation>的 grantType 为 {grant!r}；必须是 {known} 之一</translation>
    </message>
    <message>
        <source>has more than {limit} names and values</source>
        <translation>包含超过 {limit} 个名称和值</translation>
    </message>
    <message>
        <source>has no structured content, although the tool declares an output schema</source>
        <translation>没有结构化内容，虽然该工具声明了输出 Schema</translation>
    </message>
    <message>
        <source>has no {manifest}, so it is not an MCP bundle</source>
        <translation>中没有 {manifest}，因此它不是 MCP 包</translation>
    </message>
    <message>
        <source>has too many items</source>
        <translation>项数超出了允许的范围</translation>
    </message>
    <message>
        <source>has {host!r}, which is no host: write it as api.example.com, *.example.com or db.example.com:5432</source>
        <translation>包含 {host!r}，它不是主机名：请写成 api.example.com、*.example.com 或 db.example.com:5432</translation>
    </message>
    <message>
        <source>has {host!r}: only names of hosts on the internet can be listed, no addresses and nothing of this machine</source>
        <translation>包含 {host!r}：只能列出互联网上的主机名，不能是 IP 地址，也不能是本机</translation>
    </message>
    <message>
        <source>has {name!r}, which is not a known key</source>
        <translation>含有未知的键 {name!r}</translation>
    </message>
    <message>
        <source>in one request</source>
        <translation>在一次请求中</translation>
    </message>
    <message>
        <source>is a list, but not of choices</source>
        <translation>是列表，但其内容不是选项</translation>
    </message>
    <message>
        <source>is an object, which a form cannot contain</source>
        <translation>是对象，而表单中不允许有对象</translation>
    </message>
    <message>
        <source>is deprecated: the tool may stop taking it</source>
        <translation>已弃用：该工具以后可能不再接受</translation>
    </message>
    <message>
        <source>is larger than {limit} MB</source>
        <translation>大于 {limit} MB</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>is nested more than {limit} levels deep</source>
        <translation>嵌套超过 {limit} 层</translation>
    </message>
    <message>
        <source>is never allowed</source>
        <translation>从不允许</translation>
    </message>
    <message>
        <source>is not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>is not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>is not a known key</source>
        <translation>不是已知的键</translation>
    </message>
    <message>
        <source>is not a known property</source>
        <translation>不是已知的属性</translation>
    </message>
    <message>
        <source>is not a list</source>
        <translation>不是列表</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>不是数字</translation>
    </message>
    <message>
        <source>is not a readable bundle (zip): {error}</source>
        <translation>不是可读取的 MCP 包（zip）：{error}</translation>
    </message>
    <message>
        <source>is not a string</source>
        <translation>不是字符串</translation>
    </message>
    <message>
        <source>is not a valid address: {error}</source>
        <translation>不是有效的地址：{error}</translation>
    </message>
    <message>
        <source>is not allowed here</source>
        <translation>此处不允许</translation>
    </message>
    <message>
        <source>is not an object</source>
        <translation>不是对象</translation>
    </message>
    <message>
        <source>is not filled in yet</source>
        <translation>尚未填写</translation>
    </message>
    <message>
        <source>is not in the schema</source>
        <translation>不在 Schema 中</translation>
    </message>
    <message>
        <source>is not in the schema; did you mean {near!r}?</source>
        <translation>不在 Schema 中；是否指“{near}”？</translation>
    </message>
    <message>
        <source>is not text, a number, a choice or yes/no</source>
        <translation>既不是文本、数字、选项，也不是“是/否”</translation>
    </message>
    <message>
        <source>is not true or false</source>
        <translation>不是 true 或 false</translation>
    </message>
    <message>
        <source>is not valid TOML: {error}</source>
        <translation>不是有效的 TOML：{error}</translation>
    </message>
    <message>
        <source>is not valid YAML: {problem}</source>
        <translation>不是有效的 YAML：{problem}</translation>
    </message>
    <message>
        <source>is read-only: the tool may ignore or refuse it</source>
        <translation>是只读的：该工具可能忽略或拒绝它</translation>
    </message>
    <message>
        <source>is sent as {number}, the nearest number that can be represented</source>
        <translation>将作为最接近的可表示数字 {number} 发送</translation>
    </message>
    <message>
        <source>it cannot be started: {what}</source>
        <translation>无法启动它：{what}</translation>
    </message>
    <message>
        <source>it contains text that cannot be encoded</source>
        <translation>其中有无法编码的文本</translation>
    </message>
    <message>
        <source>it cost {cost}, at most {most}</source>
        <translation>费用为 {cost}，上限为 {most}</translation>
    </message>
    <message>
        <source>it ended as {end}</source>
        <translation>以 {end} 结束</translation>
    </message>
    <message>
        <source>it has more than {limit} characters</source>
        <translation>它超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>it has more than {limit} parts</source>
        <translation>它有超过 {limit} 个部分</translation>
    </message>
    <message>
        <source>it has no members</source>
        <translation>它没有成员</translation>
    </message>
    <message>
        <source>it has no token</source>
        <translation>其中没有 token</translation>
    </message>
    <message>
        <source>it has no version that is known</source>
        <translation>它的版本未知</translation>
    </message>
    <message>
        <source>it has {count:,} characters, more than {most:,}</source>
        <translation>它有 {count:,} 个字符，多于 {most:,} 个</translation>
    </message>
    <message>
        <source>it has {count} fields; at most {limit} are supported</source>
        <translation>它有 {count} 个字段，最多显示 {limit} 个</translation>
    </message>
    <message>
        <source>it has {names}</source>
        <translation>其中有 {names}</translation>
    </message>
    <message>
        <source>it is a list of {count}</source>
        <translation>它是一个有 {count} 项的列表</translation>
    </message>
    <message>
        <source>it is a program for Windows</source>
        <translation>它是 Windows 程序</translation>
    </message>
    <message>
        <source>it is a program for another kind of machine, or parts of it lack</source>
        <translation>它是为另一种机器编译的程序，或缺少所需的部分</translation>
    </message>
    <message>
        <source>it is a program for macOS</source>
        <translation>它是 macOS 程序</translation>
    </message>
    <message>
        <source>it is larger than {most} MB</source>
        <translation>它大于 {most} MB</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>它嵌套过深</translation>
    </message>
    <message>
        <source>it is nested too deeply to be fully checked</source>
        <translation>它嵌套过深，无法全部检查</translation>
    </message>
    <message>
        <source>it is no JSON object</source>
        <translation>它不是 JSON 对象</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>它不是文件</translation>
    </message>
    <message>
        <source>it is not a finite number</source>
        <translation>它不是有限的数</translation>
    </message>
    <message>
        <source>it is not an object schema</source>
        <translation>它不是对象的 Schema</translation>
    </message>
    <message>
        <source>it is not what the app has written</source>
        <translation>它不是应用写入的内容</translation>
    </message>
    <message>
        <source>it lacks “{name}”</source>
        <translation>它缺少“{name}”</translation>
    </message>
    <message>
        <source>it needs Node.js {least} or newer, and this is {current}</source>
        <translation>它需要 Node.js {least} 或更高版本，当前为 {current}</translation>
    </message>
    <message>
        <source>it needs Node.js {wanted}, and this is {current}</source>
        <translation>它需要 Node.js {wanted}，当前为 {current}</translation>
    </message>
    <message>
        <source>it needs the result of {name!r}, which did not run</source>
        <translation>它需要“{name}”的结果，而该调用没有运行</translation>
    </message>
    <message>
        <source>it needs the result of {name!r}, which failed</source>
        <translation>它需要“{name}”的结果，而该调用失败了</translation>
    </message>
    <message>
        <source>it needs the result of {name!r}, which failed: it took too long</source>
        <translation>它需要“{name}”的结果，而该调用失败了：耗时过长</translation>
    </message>
    <message>
        <source>it needs the result of {name!r}, which failed: its server could not be reached</source>
        <translation>它需要“{name}”的结果，而该调用失败了：无法连接其服务器</translation>
    </message>
    <message>
        <source>it needs the result of {name!r}, which was skipped</source>
        <translation>它需要“{name}”的结果，而该调用已跳过</translation>
    </message>
    <message>
        <source>it returned something that is not a finding</source>
        <translation>它返回的不是检查结果</translation>
    </message>
    <message>
        <source>it sends messages in batches</source>
        <translation>它的消息成批发来</translation>
    </message>
    <message>
        <source>it sent more than {limit} requests of its own</source>
        <translation>它发出了超过 {limit} 个请求</translation>
    </message>
    <message>
        <source>it took {took} s, expected at most {limit} s</source>
        <translation>耗时 {took} s，应不超过 {limit} s</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>已被停止</translation>
    </message>
    <message>
        <source>it writes ids as {id}</source>
        <translation>它把 id 写成 {id}</translation>
    </message>
    <message>
        <source>its address answered with JSON that is not an MCP message</source>
        <translation>该地址返回的 JSON 不是 MCP 消息</translation>
    </message>
    <message>
        <source>its address answered with a web page, not as an MCP server</source>
        <translation>该地址返回的是网页，不是 MCP 服务器的响应</translation>
    </message>
    <message>
        <source>its address answered with data that cannot be decompressed</source>
        <translation>该地址返回的数据无法解压</translation>
    </message>
    <message>
        <source>its address answered with more than {limit} MB</source>
        <translation>该地址返回的内容超过 {limit} MB</translation>
    </message>
    <message>
        <source>its address answered with {kind}, not as an MCP server</source>
        <translation>该地址返回的是 {kind}，不是 MCP 服务器的响应</translation>
    </message>
    <message>
        <source>its address answered without content</source>
        <translation>该地址的响应没有内容</translation>
    </message>
    <message>
        <source>its address answered {status}</source>
        <translation>该地址返回 {status}</translation>
    </message>
    <message>
        <source>its address uses a compression that was not requested</source>
        <translation>该地址的响应使用了未请求的压缩方式</translation>
    </message>
    <message>
        <source>its address, or the proxy {proxy}, answered {status}</source>
        <translation>该地址或代理 {proxy} 返回 {status}</translation>
    </message>
    <message>
        <source>its answer is nested too deeply</source>
        <translation>它的响应嵌套过深，无法读取</translation>
    </message>
    <message>
        <source>its beginning is missing</source>
        <translation>它缺少开头</translation>
    </message>
    <message>
        <source>its certificate is not trusted ({reason})</source>
        <translation>它的证书不受信任（{reason}）</translation>
    </message>
    <message>
        <source>its container</source>
        <translation>它的容器</translation>
    </message>
    <message>
        <source>its errors lack a code or a message</source>
        <translation>它的错误没有代码或没有消息</translation>
    </message>
    <message>
        <source>its file has to be among those that run</source>
        <translation>它的文件必须在所运行的文件之中</translation>
    </message>
    <message>
        <source>its messages lack &quot;jsonrpc&quot;: &quot;2.0&quot;</source>
        <translation>它的消息缺少 &quot;jsonrpc&quot;: &quot;2.0&quot;</translation>
    </message>
    <message>
        <source>its messages span several lines</source>
        <translation>它的消息分成了多行</translation>
    </message>
    <message>
        <source>its name {message}</source>
        <translation>它的名称{message}</translation>
    </message>
    <message>
        <source>its next page: {words}</source>
        <translation>它的下一页：{words}</translation>
    </message>
    <message>
        <source>its number is too large</source>
        <translation>其中的数太大</translation>
    </message>
    <message>
        <source>its own folders</source>
        <translation>它自己的文件夹</translation>
    </message>
    <message>
        <source>its pages do not end: {count} {things} were read and are kept</source>
        <translation>它的分页没有尽头：已读取的 {count} 个{things}予以保留</translation>
    </message>
    <message>
        <source>its schema has more than {most:,} parts</source>
        <translation>它的 Schema 有超过 {most:,} 个部分</translation>
    </message>
    <message>
        <source>its schema is nested too deeply</source>
        <translation>它的 Schema 嵌套过深</translation>
    </message>
    <message>
        <source>its server keeps it for its own apps</source>
        <translation>其服务器仅供自己的应用使用</translation>
    </message>
    <message>
        <source>its sign-in could not be renewed ({why})</source>
        <translation>登录未能续期（{why}）</translation>
    </message>
    <message>
        <source>its {keyword!r} is not valid</source>
        <translation>无法理解其中的“{keyword}”</translation>
    </message>
    <message>
        <source>judge: {says}</source>
        <translation>评判：{says}</translation>
    </message>
    <message>
        <source>key {key!r}: {problem}</source>
        <translation>键 {key!r}：{problem}</translation>
    </message>
    <message>
        <source>keys must be quoted</source>
        <translation>键必须加引号</translation>
    </message>
    <message>
        <source>line {line}, column {column}: {problem}</source>
        <translation>第 {line} 行第 {column} 列：{problem}</translation>
    </message>
    <message>
        <source>macOS runs this app from a copy, which is gone after a restart</source>
        <translation>macOS 正从临时副本运行本应用，重启后该副本就会消失</translation>
    </message>
    <message>
        <source>matches more than one of the allowed forms</source>
        <translation>同时符合多种允许的形式</translation>
    </message>
    <message>
        <source>matches none of the allowed forms</source>
        <translation>不符合任何一种允许的形式</translation>
    </message>
    <message>
        <source>matching the schema&apos;s patterns takes too long on these values</source>
        <translation>在这些值上检查 Schema 中的正则表达式耗时过长</translation>
    </message>
    <message>
        <source>may have at most {hosts} hosts and {ports} different ports</source>
        <translation>最多可列出 {hosts} 个主机和 {ports} 个不同的端口</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>more than one call is named {name!r}: {files}</source>
        <translation>名为“{name}”的调用不止一个：{files}</translation>
    </message>
    <message>
        <source>more than {limit} model answers in a minute</source>
        <translation>一分钟内要求模型回答超过 {limit} 次</translation>
    </message>
    <message>
        <source>more than {limit} requests are open</source>
        <translation>超过 {limit} 个请求尚未完成</translation>
    </message>
    <message>
        <source>must be a folder on this computer</source>
        <translation>必须是本机上的文件夹</translation>
    </message>
    <message>
        <source>must be a list</source>
        <translation>必须是列表</translation>
    </message>
    <message>
        <source>must be a mapping of names to values</source>
        <translation>必须是名称与值的映射</translation>
    </message>
    <message>
        <source>must be a multiple of {limit}</source>
        <translation>必须是 {limit} 的倍数</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>必须是数字</translation>
    </message>
    <message>
        <source>must be a size such as &quot;512 MB&quot; or &quot;1 GB&quot;, at least {least}</source>
        <translation>必须是 &quot;512 MB&quot; 或 &quot;1 GB&quot; 这样的大小，至少为 {least}</translation>
    </message>
    <message>
        <source>must be a whole number</source>
        <translation>必须是整数</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>必须是一个对象</translation>
    </message>
    <message>
        <source>must be an object that describes one provider</source>
        <translation>必须是描述一个提供商的对象</translation>
    </message>
    <message>
        <source>must be an object that describes one server</source>
        <translation>必须是描述一个服务器的对象</translation>
    </message>
    <message>
        <source>must be an object that maps names to values</source>
        <translation>必须是将名称映射到值的对象</translation>
    </message>
    <message>
        <source>must be at least {limit:g}</source>
        <translation>至少为 {limit:g}</translation>
    </message>
    <message>
        <source>must be at least {limit}</source>
        <translation>不得小于 {limit}</translation>
    </message>
    <message>
        <source>must be at most {limit:g}</source>
        <translation>最多为 {limit:g}</translation>
    </message>
    <message>
        <source>must be at most {limit}</source>
        <translation>不得大于 {limit}</translation>
    </message>
    <message>
        <source>must be less than {limit}</source>
        <translation>必须小于 {limit}</translation>
    </message>
    <message>
        <source>must be less than {other}</source>
        <translation>必须小于 {other}</translation>
    </message>
    <message>
        <source>must be more than {limit}</source>
        <translation>必须大于 {limit}</translation>
    </message>
    <message>
        <source>must be more than {other}</source>
        <translation>必须大于 {other}</translation>
    </message>
    <message>
        <source>must be on this computer</source>
        <translation>必须在本机上</translation>
    </message>
    <message>
        <source>must be one of {expected}</source>
        <translation>必须是以下之一：{expected}</translation>
    </message>
    <message>
        <source>must be one of: {options}</source>
        <translation>必须是其中之一：{options}</translation>
    </message>
    <message>
        <source>must be text</source>
        <translation>必须是文本</translation>
    </message>
    <message>
        <source>must be the same as {other}</source>
        <translation>必须与 {other} 相同</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>必须是 true 或 false</translation>
    </message>
    <message>
        <source>must be true, false, or a list of hosts</source>
        <translation>必须是 true、false 或主机列表</translation>
    </message>
    <message>
        <source>must be written as {example}</source>
        <translation>必须写成 {example} 的形式</translation>
    </message>
    <message>
        <source>must be {expected}, is {given}</source>
        <translation>必须是{expected}，现在是{given}</translation>
    </message>
    <message>
        <source>must be {format}</source>
        <translation>必须是{format}</translation>
    </message>
    <message>
        <source>must be {value}</source>
        <translation>必须是 {value}</translation>
    </message>
    <message>
        <source>must have %3F for each ? and %23 for each #</source>
        <translation>必须把每个 ? 写成 %3F，把每个 # 写成 %23</translation>
    </message>
    <message>
        <source>must have at least {characters}, has {count}</source>
        <translation>至少要有 {characters}，现有 {count} 个</translation>
    </message>
    <message>
        <source>must have at least {items}, has {count}</source>
        <translation>至少要有 {items}，现有 {count} 项</translation>
    </message>
    <message>
        <source>must have at least {properties}, has {count}</source>
        <translation>至少要有 {properties}，现有 {count} 个</translation>
    </message>
    <message>
        <source>must have at most {characters}, has {count}</source>
        <translation>最多 {characters}，现有 {count} 个</translation>
    </message>
    <message>
        <source>must have at most {items}, has {count}</source>
        <translation>最多 {items}，现有 {count} 项</translation>
    </message>
    <message>
        <source>must have at most {name_limit} characters, it has {count}</source>
        <translation>最多 {name_limit} 个字符，现有 {count} 个</translation>
    </message>
    <message>
        <source>must have at most {properties}, has {count}</source>
        <translation>最多 {properties}，现有 {count} 个</translation>
    </message>
    <message>
        <source>must match the pattern {pattern}</source>
        <translation>必须匹配正则表达式 {pattern}</translation>
    </message>
    <message>
        <source>must match {patterns}</source>
        <translation>必须匹配 {patterns}</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>不能为空</translation>
    </message>
    <message>
        <source>must not be less than {other}</source>
        <translation>不得小于 {other}</translation>
    </message>
    <message>
        <source>must not be more than {other}</source>
        <translation>不得大于 {other}</translation>
    </message>
    <message>
        <source>must not be the same as {other}</source>
        <translation>不得与 {other} 相同</translation>
    </message>
    <message>
        <source>must not contain &quot;:&quot;, which separates server and tool in &quot;server:tool&quot;</source>
        <translation>不能含有“:”，它在“server:tool”中分隔服务器和工具</translation>
    </message>
    <message>
        <source>must not contain a user name, a password or a query</source>
        <translation>不能包含用户名、密码或查询</translation>
    </message>
    <message>
        <source>must not contain a zero character</source>
        <translation>不能含有零字符</translation>
    </message>
    <message>
        <source>must not contain control characters</source>
        <translation>不能含有控制字符</translation>
    </message>
    <message>
        <source>must not contain half of a surrogate pair</source>
        <translation>不能含有半个代理对</translation>
    </message>
    <message>
        <source>must not contain spaces or control characters</source>
        <translation>不能含有空格或控制字符</translation>
    </message>
    <message>
        <source>must not have the same item twice</source>
        <translation>不得有重复的项</translation>
    </message>
    <message>
        <source>must not have this form</source>
        <translation>不得是这种形式</translation>
    </message>
    <message>
        <source>must start with http:// or https:// and name a host</source>
        <translation>必须以 http:// 或 https:// 开头并写明主机</translation>
    </message>
    <message>
        <source>must start with https:// (http:// only for this computer)</source>
        <translation>必须以 https:// 开头（http:// 仅限本机）</translation>
    </message>
    <message>
        <source>needs &quot;command&quot; (a program to start) or &quot;url&quot; (a running server)</source>
        <translation>需要 &quot;command&quot;（要启动的程序）或 &quot;url&quot;（正在运行的服务器）</translation>
    </message>
    <message>
        <source>needs a name</source>
        <translation>需要名称</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>nested too deeply to be compared</source>
        <translation>嵌套过深，无法对比</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no TLS connection to its address ({reason})</source>
        <translation>无法与它的地址建立 TLS 连接（{reason}）</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>未及时响应</translation>
    </message>
    <message>
        <source>no error was expected, but {code}: {message}</source>
        <translation>不应出错，但得到 {code}：{message}</translation>
    </message>
    <message>
        <source>no provider accepts the name {name}</source>
        <translation>没有提供商接受名称 {name}</translation>
    </message>
    <message>
        <source>no saved call is named {name!r}; {hint}</source>
        <translation>没有名为“{name}”的已保存调用；{hint}</translation>
    </message>
    <message>
        <source>no tool was called</source>
        <translation>没有调用任何工具</translation>
    </message>
    <message>
        <source>no tool was called, not even {tool}</source>
        <translation>没有调用任何工具，预期首先调用 {tool}</translation>
    </message>
    <message>
        <source>nobody is here to answer</source>
        <translation>没有人可以回答</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>nothing answers at its address ({what})</source>
        <translation>该地址没有服务响应（{what}）</translation>
    </message>
    <message>
        <source>npx waits for a yes: put &quot;-y&quot; first in its &quot;args&quot;.</source>
        <translation>npx 在等待确认：请在它的 &quot;args&quot; 开头加上 &quot;-y&quot;。</translation>
    </message>
    <message>
        <source>of a server</source>
        <translation>对每个服务器</translation>
    </message>
    <message>
        <source>of all servers together</source>
        <translation>所有服务器合计</translation>
    </message>
    <message>
        <source>of an agent</source>
        <translation>对每个智能体</translation>
    </message>
    <message>
        <source>of an unknown kind</source>
        <translation>未知类型</translation>
    </message>
    <message>
        <source>one of the {things} was skipped: its name has {count} characters ({beginning}…)</source>
        <translation>一个{things}被略去：其名称有 {count} 个字符（{beginning}…）</translation>
    </message>
    <message>
        <source>params is not an object</source>
        <translation>params 不是对象</translation>
    </message>
    <message>
        <source>person</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>protocol {version} is older than the first release</source>
        <translation>协议 {version} 早于第一个正式版本</translation>
    </message>
    <message>
        <source>protocolVersion is missing or not a string</source>
        <translation>protocolVersion 缺失或不是字符串</translation>
    </message>
    <message>
        <source>put the name in quotes: ${{{{ &quot;{name}&quot;.path }}}}</source>
        <translation>请给名称加上引号：${{{{ &quot;{name}&quot;.path }}}}</translation>
    </message>
    <message>
        <source>reached its limit of {count} processes and threads</source>
        <translation>达到了 {count} 个进程和线程的上限</translation>
    </message>
    <message>
        <source>reached its memory limit of {size}</source>
        <translation>达到了 {size} 的内存上限</translation>
    </message>
    <message>
        <source>reading {place}</source>
        <translation>读取 {place}</translation>
    </message>
    <message>
        <source>requestedSchema is not a whole object schema</source>
        <translation>requestedSchema 不是完整的对象 Schema</translation>
    </message>
    <message>
        <source>resource templates</source>
        <translation>资源模板</translation>
    </message>
    <message>
        <source>resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>says what may be touched and is &quot;off&quot;: choose a preset</source>
        <translation>列出了可访问的内容，却是 &quot;off&quot;：请选择一个预设</translation>
    </message>
    <message>
        <source>sent a line longer than {value} MB</source>
        <translation>发送了超过 {value} MB 的一行</translation>
    </message>
    <message>
        <source>signing in at {host} failed ({words})</source>
        <translation>在 {host} 的登录失败（{words}）</translation>
    </message>
    <message>
        <source>signing in at {host} was stopped ({words})</source>
        <translation>在 {host} 的登录已中止（{words}）</translation>
    </message>
    <message>
        <source>success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>task {task} made no progress for {limit:g} s and was cancelled. Allow more time in the server&apos;s settings, or with --timeout for a single call.</source>
        <translation>任务 {task} 在 {limit:g} 秒内没有进展，已取消。可以在服务器的设置中增大超时，或对单次调用使用 --timeout。</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>the address is not a web address</source>
        <translation>该地址不是网页地址</translation>
    </message>
    <message>
        <source>the answer does not fit ({issue})</source>
        <translation>回答不符合要求（{issue}）</translation>
    </message>
    <message>
        <source>the answer of {host} is too large</source>
        <translation>{host} 的响应过大</translation>
    </message>
    <message>
        <source>the answer violates the protocol: {where}: {first}</source>
        <translation>响应违反协议：{where}：{first}</translation>
    </message>
    <message>
        <source>the app itself</source>
        <translation>应用本身</translation>
    </message>
    <message>
        <source>the authorization server does not support device codes</source>
        <translation>授权服务器不支持设备代码</translation>
    </message>
    <message>
        <source>the call {call} was made {times} times, not {expected}; of {count} calls</source>
        <translation>调用 {call} 执行了 {times} 次，预期为 {expected} 次（共 {count} 次调用）</translation>
    </message>
    <message>
        <source>the calls wait for each other: {names}</source>
        <translation>这些调用互相等待：{names}</translation>
    </message>
    <message>
        <source>the characters of a name are {allowed}</source>
        <translation>名称只能用字符 {allowed}</translation>
    </message>
    <message>
        <source>the code was not entered in time</source>
        <translation>没有人及时输入代码</translation>
    </message>
    <message>
        <source>the command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>the connection to its address broke ({what})</source>
        <translation>与其地址的连接中断（{what}）</translation>
    </message>
    <message>
        <source>the cost limit is reached</source>
        <translation>已达到费用上限</translation>
    </message>
    <message>
        <source>the disk is slower than the calls</source>
        <translation>磁盘跟不上调用的速度</translation>
    </message>
    <message>
        <source>the field &quot;{name}&quot; {what}</source>
        <translation>字段“{name}”{what}</translation>
    </message>
    <message>
        <source>the first call was of {tool}, not of {expected}</source>
        <translation>首先调用的是 {tool}，预期为 {expected}</translation>
    </message>
    <message>
        <source>the first line of {file} names the interpreter {program}, which is not there</source>
        <translation>{file} 的第一行指定的解释器 {program} 不存在</translation>
    </message>
    <message>
        <source>the format {name}</source>
        <translation>{name} 格式</translation>
    </message>
    <message>
        <source>the host {host}</source>
        <translation>主机 {host}</translation>
    </message>
    <message>
        <source>the identity provider did not issue anything for this server (status {status})</source>
        <translation>身份提供方未为此服务器签发凭证（状态 {status}）</translation>
    </message>
    <message>
        <source>the judge did not decide</source>
        <translation>评判没有得出结论</translation>
    </message>
    <message>
        <source>the judge says no: {says}</source>
        <translation>评判不通过：{says}</translation>
    </message>
    <message>
        <source>the lines of {file} end as on Windows (CR LF)</source>
        <translation>{file} 使用 Windows 换行符（CR LF）</translation>
    </message>
    <message>
        <source>the metadata of the authorization server {host} cannot be read ({status})</source>
        <translation>无法读取授权服务器 {host} 的元数据（{status}）</translation>
    </message>
    <message>
        <source>the names of server and tool have at most {most} characters together</source>
        <translation>服务器名和工具名合计最多 {most} 个字符</translation>
    </message>
    <message>
        <source>the network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>the number {number} is too large</source>
        <translation>数字 {number} 太大</translation>
    </message>
    <message>
        <source>the package {name} does not exist on {place}</source>
        <translation>软件包 {name} 在 {place} 上不存在</translation>
    </message>
    <message>
        <source>the pattern is not text</source>
        <translation>正则表达式不是文本</translation>
    </message>
    <message>
        <source>the pattern {pattern!r} could take too long on this text</source>
        <translation>在这段文本上检查正则表达式“{pattern}”可能耗时过长</translation>
    </message>
    <message>
        <source>the pattern {pattern!r} has too many repetitions</source>
        <translation>正则表达式“{pattern}”重复过多，无法检查</translation>
    </message>
    <message>
        <source>the pattern {pattern!r} is longer than {limit} characters</source>
        <translation>正则表达式“{pattern}”超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>the pattern {pattern!r} uses an unsupported dialect</source>
        <translation>正则表达式“{pattern}”使用了不受支持的写法</translation>
    </message>
    <message>
        <source>the price of the model is not known</source>
        <translation>模型的价格未知</translation>
    </message>
    <message>
        <source>the proxy {proxy} did not answer ({what})</source>
        <translation>代理 {proxy} 没有响应（{what}）</translation>
    </message>
    <message>
        <source>the proxy {proxy} refused to connect to it ({what})</source>
        <translation>代理 {proxy} 没有连接到它（{what}）</translation>
    </message>
    <message>
        <source>the proxy {proxy} uses a kind of SOCKS that is not supported</source>
        <translation>代理 {proxy} 使用的 SOCKS 类型不受支持</translation>
    </message>
    <message>
        <source>the reference {reference} points to nothing in it (remote schemas are never fetched)</source>
        <translation>其中的引用 {reference} 没有目标（从不下载远程 Schema）</translation>
    </message>
    <message>
        <source>the result is nested too deeply to be kept</source>
        <translation>结果嵌套过深，无法保存</translation>
    </message>
    <message>
        <source>the result is not as in its snapshot</source>
        <translation>结果与其快照不同</translation>
    </message>
    <message>
        <source>the result is not as in {file}</source>
        <translation>结果与 {file} 中的不同</translation>
    </message>
    <message>
        <source>the result is too large for a snapshot ({size} MB); ignore parts of it</source>
        <translation>结果过大，无法作为快照（{size} MB）；请忽略其中的一部分</translation>
    </message>
    <message>
        <source>the run has not the values that are expected now</source>
        <translation>这次运行没有现在所预期的值</translation>
    </message>
    <message>
        <source>the schema of matches cannot be used: {why}</source>
        <translation>matches 的 Schema 无法使用：{why}</translation>
    </message>
    <message>
        <source>the server at its address does not use TLS</source>
        <translation>它的地址上的服务不使用 TLS</translation>
    </message>
    <message>
        <source>the server has no tool {name} for apps</source>
        <translation>服务器没有供 MCP 应用使用的工具 {name}</translation>
    </message>
    <message>
        <source>the server {name} could not be reached</source>
        <translation>无法连接到服务器 {name}</translation>
    </message>
    <message>
        <source>the set-up failed: {error}</source>
        <translation>准备步骤失败：{error}</translation>
    </message>
    <message>
        <source>the sign-in metadata {url} that the server names cannot be read ({status})</source>
        <translation>无法读取服务器给出的登录元数据 {url}（{status}）</translation>
    </message>
    <message>
        <source>the sign-in page {url} is not encrypted</source>
        <translation>登录页面 {url} 未加密</translation>
    </message>
    <message>
        <source>the sign-in takes too many steps</source>
        <translation>登录的步骤过多</translation>
    </message>
    <message>
        <source>the sign-in uses {url}, which is not encrypted</source>
        <translation>登录指向未加密的地址 {url}</translation>
    </message>
    <message>
        <source>the time to sign in at {host} ran out</source>
        <translation>在 {host} 登录超时</translation>
    </message>
    <message>
        <source>the type of the {schema} is not object</source>
        <translation>{schema} 的类型不是 object</translation>
    </message>
    <message>
        <source>the whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>the {schema} declares a JSON Schema older than 2020-12</source>
        <translation>{schema} 声明的 JSON Schema 版本早于 2020-12</translation>
    </message>
    <message>
        <source>the {schema} has anyOf, oneOf or allOf at its top</source>
        <translation>{schema} 的顶层有 anyOf、oneOf 或 allOf</translation>
    </message>
    <message>
        <source>the {schema} is anyOf or oneOf and no object</source>
        <translation>{schema} 是 anyOf 或 oneOf，而不是 object</translation>
    </message>
    <message>
        <source>the {schema} is larger than {size} bytes</source>
        <translation>{schema} 超过 {size} 字节</translation>
    </message>
    <message>
        <source>there is anyOf in the {schema}</source>
        <translation>{schema} 中有 anyOf</translation>
    </message>
    <message>
        <source>there is no call {call} in its place; {told}</source>
        <translation>在应有的位置没有调用 {call}；{told}</translation>
    </message>
    <message>
        <source>there is no call {call}; {told}</source>
        <translation>没有调用 {call}；{told}</translation>
    </message>
    <message>
        <source>there is no snapshot of it yet</source>
        <translation>它还没有快照</translation>
    </message>
    <message>
        <source>there is no snapshot {file} yet</source>
        <translation>还没有快照 {file}</translation>
    </message>
    <message>
        <source>there is no structured content, and the output is no JSON: {output}</source>
        <translation>没有结构化内容，输出也不是 JSON：{output}</translation>
    </message>
    <message>
        <source>there is nothing to match: the output is no JSON</source>
        <translation>没有可匹配的内容：输出不是 JSON</translation>
    </message>
    <message>
        <source>there was no time for it</source>
        <translation>来不及写入</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>它太大</translation>
    </message>
    <message>
        <source>too many MCP Apps have something for the model</source>
        <translation>有内容要告诉模型的 MCP 应用过多</translation>
    </message>
    <message>
        <source>too many messages</source>
        <translation>消息过多</translation>
    </message>
    <message>
        <source>too many or too large messages</source>
        <translation>消息过多或过大</translation>
    </message>
    <message>
        <source>too many requests are already waiting for an answer</source>
        <translation>等待回答的请求已经太多</translation>
    </message>
    <message>
        <source>tool {number} cannot be called: {problems}</source>
        <translation>第 {number} 个工具无法调用：{problems}</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>真或假</translation>
    </message>
    <message>
        <source>two servers have this name (lines {places})</source>
        <translation>有两个服务器使用此名称（第 {places} 行）</translation>
    </message>
    <message>
        <source>unless {condition}</source>
        <translation>除非{condition}</translation>
    </message>
    <message>
        <source>uses YAML aliases (*name), which are not supported</source>
        <translation>使用了 YAML 别名（*name），不受支持</translation>
    </message>
    <message>
        <source>values contains something other than strings, or too many</source>
        <translation>values 中有不是字符串的值，或数量过多</translation>
    </message>
    <message>
        <source>violates the schema rule {keyword}</source>
        <translation>违反了 Schema 的规则 {keyword}</translation>
    </message>
    <message>
        <source>was JSON in a text, and was read as such</source>
        <translation>以文本形式给出 JSON，已按 JSON 读取</translation>
    </message>
    <message>
        <source>was ended by signal {value}</source>
        <translation>被信号 {value} 结束</translation>
    </message>
    <message>
        <source>was not requested</source>
        <translation>未被要求填写</translation>
    </message>
    <message>
        <source>was restarted and no longer knows the session</source>
        <translation>已重启，不再认识该会话</translation>
    </message>
    <message>
        <source>what it needs to run</source>
        <translation>运行所需的内容</translation>
    </message>
    <message>
        <source>what they hold cannot be stored</source>
        <translation>其中的内容无法保存</translation>
    </message>
    <message>
        <source>when {condition}</source>
        <translation>当{condition}时</translation>
    </message>
    <message>
        <source>writing {place}</source>
        <translation>写入 {place}</translation>
    </message>
    <message>
        <source>wrote a tool call that cannot be read</source>
        <translation>生成了无法读取的工具调用</translation>
    </message>
    <message>
        <source>wrote an answer that cannot be read</source>
        <translation>生成了无法读取的回答</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{blocked} is not an executable file</source>
        <translation>{blocked} 不是可执行文件</translation>
    </message>
    <message>
        <source>{both} mean the same but have different values</source>
        <translation>{both} 含义相同，但值不同</translation>
    </message>
    <message>
        <source>{call} that asks back</source>
        <translation>{call}（服务器会提出询问）</translation>
    </message>
    <message>
        <source>{call} that does not ask back</source>
        <translation>{call}（服务器不提出询问）</translation>
    </message>
    <message>
        <source>{call} that fails</source>
        <translation>{call}（失败）</translation>
    </message>
    <message>
        <source>{call} that fails with {error}</source>
        <translation>{call}（以 {error} 失败）</translation>
    </message>
    <message>
        <source>{call} that goes well</source>
        <translation>{call}（成功）</translation>
    </message>
    <message>
        <source>{call} that matches its schema</source>
        <translation>{call}（参数符合模式）</translation>
    </message>
    <message>
        <source>{call} was not expected</source>
        <translation>没有预期的调用：{call}</translation>
    </message>
    <message>
        <source>{call} with {arguments}</source>
        <translation>{call}，参数为 {arguments}</translation>
    </message>
    <message>
        <source>{condition} and {other}</source>
        <translation>{condition} 且 {other}</translation>
    </message>
    <message>
        <source>{consequence}, because {cause}: {tools}.</source>
        <translation>{consequence}，因为{cause}：{tools}。</translation>
    </message>
    <message>
        <source>{count:,} tools are offered, {over:,} more than the {provider} API takes in a request.</source>
        <translation>共提供 {count:,} 个工具，比 {provider} API 单次请求的上限多 {over:,} 个。</translation>
    </message>
    <message>
        <source>{count} % of a processor</source>
        <translation>一个处理器的 {count}%</translation>
    </message>
    <message>
        <source>{count} character</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>{count} further parts of an answer were left out</source>
        <translation>已略去响应的其余 {count} 个部分</translation>
    </message>
    <message>
        <source>{count} item</source>
        <translation>{count} 项</translation>
    </message>
    <message>
        <source>{count} items</source>
        <translation>{count} 项</translation>
    </message>
    <message>
        <source>{count} log messages dropped: more than {limit} per second</source>
        <translation>略去了 {count} 条日志消息：一秒内超过 {limit} 条</translation>
    </message>
    <message>
        <source>{count} of its lines cannot be read</source>
        <translation>其中 {count} 行无法读取</translation>
    </message>
    <message>
        <source>{count} processes and threads</source>
        <translation>{count} 个进程和线程</translation>
    </message>
    <message>
        <source>{count} properties</source>
        <translation>{count} 个属性</translation>
    </message>
    <message>
        <source>{count} property</source>
        <translation>{count} 个属性</translation>
    </message>
    <message>
        <source>{count} {things} are called {name}</source>
        <translation>有 {count} 个{things}都叫 {name}</translation>
    </message>
    <message>
        <source>{errors} errors of tools, at most {most}; {first}</source>
        <translation>工具出错 {errors} 次，上限为 {most} 次；{first}</translation>
    </message>
    <message>
        <source>{file} cannot be deleted: {why}.</source>
        <translation>{file} 无法删除：{why}。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation>无法读取 {file}：{reason}。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {why}.</source>
        <translation>{file} 无法读取：{why}。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {why}. {lost}</source>
        <translation>无法读取 {file}：{why}。{lost}</translation>
    </message>
    <message>
        <source>{file} cannot be removed: {reason}.</source>
        <translation>无法删除 {file}：{reason}。</translation>
    </message>
    <message>
        <source>{file} cannot be written: {reason}.</source>
        <translation>无法写入 {file}：{reason}。</translation>
    </message>
    <message>
        <source>{file} has changed meanwhile; nothing was written.</source>
        <translation>{file} 在此期间已被更改；没有写入任何内容。</translation>
    </message>
    <message>
        <source>{file} has format {version}, this version reads {ours}: use a newer version</source>
        <translation>{file} 的格式为 {version}，此版本读取的是 {ours}：请使用更新的版本</translation>
    </message>
    <message>
        <source>{file} has more than {count} files.</source>
        <translation>{file} 中的文件超过 {count} 个。</translation>
    </message>
    <message>
        <source>{file} has no first line (#!) that names its interpreter</source>
        <translation>{file} 的第一行（#!）没有指定解释器</translation>
    </message>
    <message>
        <source>{file} holds no description of a session: it is damaged.</source>
        <translation>{file} 中没有对话的描述：文件已损坏。</translation>
    </message>
    <message>
        <source>{file} holds no presets.</source>
        <translation>{file} 中没有预设。</translation>
    </message>
    <message>
        <source>{file} holds no session.</source>
        <translation>{file} 中没有对话。</translation>
    </message>
    <message>
        <source>{file} is a link; snapshots are not read or written through one.</source>
        <translation>{file} 是链接；不会通过链接读取或写入快照。</translation>
    </message>
    <message>
        <source>{file} is damaged: {why}. {lost} It stays as it is: a copy cannot be kept beside it ({error}).</source>
        <translation>{file} 已损坏：{why}。{lost}它保持原样：无法在旁边保留副本（{error}）。</translation>
    </message>
    <message>
        <source>{file} is damaged: {why}. {lost} The original is kept as {kept}.</source>
        <translation>{file} 已损坏：{why}。{lost}原文件保留为 {kept}。</translation>
    </message>
    <message>
        <source>{file} is empty</source>
        <translation>{file} 是空的</translation>
    </message>
    <message>
        <source>{file} is gone while the app runs. What you approved counts until it ends.</source>
        <translation>{file} 在应用运行时消失了。您批准的内容在本次运行结束前有效。</translation>
    </message>
    <message>
        <source>{file} is larger than {most} MB.</source>
        <translation>{file} 大于 {most} MB。</translation>
    </message>
    <message>
        <source>{file} is larger than {size} MB.</source>
        <translation>{file} 大于 {size} MB。</translation>
    </message>
    <message>
        <source>{file} is nested too deeply.</source>
        <translation>{file} 嵌套过深。</translation>
    </message>
    <message>
        <source>{file} is no JSON: {why} (line {line}, column {column}).</source>
        <translation>{file} 不是 JSON：{why}（第 {line} 行，第 {column} 列）。</translation>
    </message>
    <message>
        <source>{file} is no JSON: {why}.</source>
        <translation>{file} 不是 JSON：{why}。</translation>
    </message>
    <message>
        <source>{file} is no snapshot: restore it, or accept the result anew.</source>
        <translation>{file} 不是快照：请恢复它，或重新接受结果。</translation>
    </message>
    <message>
        <source>{file} is not UTF-8 (at byte {place}).</source>
        <translation>{file} 不是 UTF-8（在第 {place} 个字节处）。</translation>
    </message>
    <message>
        <source>{file} is not a file.</source>
        <translation>{file} 不是文件。</translation>
    </message>
    <message>
        <source>{file} takes more memory than there is.</source>
        <translation>{file} 需要的内存超出可用内存。</translation>
    </message>
    <message>
        <source>{file} was written by a newer version of the app.</source>
        <translation>{file} 由更新版本的应用写入。</translation>
    </message>
    <message>
        <source>{file} would become too large; nothing was changed</source>
        <translation>{file} 会变得过大；未作任何更改</translation>
    </message>
    <message>
        <source>{file}: two calls have the name {name!r}.</source>
        <translation>{file}：有两个调用名为“{name}”。</translation>
    </message>
    <message>
        <source>{file}: {key} must be a list.</source>
        <translation>{file}：{key} 必须是列表。</translation>
    </message>
    <message>
        <source>{file}: {words}</source>
        <translation>{file}：{words}</translation>
    </message>
    <message>
        <source>{first} and {other}</source>
        <translation>{first} 和 {other}</translation>
    </message>
    <message>
        <source>{first} or {other}</source>
        <translation>{first} 或 {other}</translation>
    </message>
    <message>
        <source>{folder} is a folder, not a program</source>
        <translation>{folder} 是文件夹，不是程序</translation>
    </message>
    <message>
        <source>{host} answered with another server.</source>
        <translation>{host} 返回了另一个服务器。</translation>
    </message>
    <message>
        <source>{host} answered with the status {status}.</source>
        <translation>{host} 返回了状态 {status}。</translation>
    </message>
    <message>
        <source>{host} answered {status}</source>
        <translation>{host} 返回 {status}</translation>
    </message>
    <message>
        <source>{host} cannot be reached</source>
        <translation>无法连接 {host}</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({reason}).</source>
        <translation>无法连接 {host}（{reason}）。</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({words})</source>
        <translation>无法连接 {host}（{words}）</translation>
    </message>
    <message>
        <source>{host} did not answer in time</source>
        <translation>{host} 未及时响应</translation>
    </message>
    <message>
        <source>{host} did not answer within {limit:g} seconds.</source>
        <translation>{host} 在 {limit:g} 秒内未响应。</translation>
    </message>
    <message>
        <source>{host} did not issue a token ({words})</source>
        <translation>{host} 未发放 token（{words}）</translation>
    </message>
    <message>
        <source>{host} does not have this.</source>
        <translation>{host} 没有这一项。</translation>
    </message>
    <message>
        <source>{host} redirects to an address that is not followed: {address}</source>
        <translation>{host} 重定向到一个不予访问的地址：{address}</translation>
    </message>
    <message>
        <source>{host} redirects to another address, which is not followed.</source>
        <translation>{host} 重定向到另一个地址，应用不会跟随。</translation>
    </message>
    <message>
        <source>{host} redirects too often.</source>
        <translation>{host} 的重定向次数过多。</translation>
    </message>
    <message>
        <source>{host} refused to register this app ({words})</source>
        <translation>{host} 不允许注册本应用（{words}）</translation>
    </message>
    <message>
        <source>{host} refused: {words}</source>
        <translation>{host} 拒绝了：{words}</translation>
    </message>
    <message>
        <source>{host} returned invalid OAuth metadata</source>
        <translation>{host} 返回的内容不是 OAuth 元数据</translation>
    </message>
    <message>
        <source>{host} sent a compressed answer unasked.</source>
        <translation>{host} 未经请求发送了压缩的响应。</translation>
    </message>
    <message>
        <source>{host} sent more than {limit} MB and was stopped.</source>
        <translation>{host} 发送了超过 {limit} MB，已被停止。</translation>
    </message>
    <message>
        <source>{keyword!r} is malformed and was removed.</source>
        <translation>这里的 {keyword!r} 格式有误，已省略。</translation>
    </message>
    <message>
        <source>{keyword!r} is the bound itself now.</source>
        <translation>现在由 {keyword!r} 直接给出界限。</translation>
    </message>
    <message>
        <source>{keyword!r} was moved to the description.</source>
        <translation>{keyword!r} 移到了描述中。</translation>
    </message>
    <message>
        <source>{keyword!r} was removed at the top level: providers reject it there.</source>
        <translation>省略了顶层的 {keyword!r}：提供商不接受它在那里。</translation>
    </message>
    <message>
        <source>{keyword!r} was removed because parameters had to be renamed.</source>
        <translation>省略了 {keyword!r}，因为有参数必须改名。</translation>
    </message>
    <message>
        <source>{keyword!r} was removed: Gemini does not support it.</source>
        <translation>移除了 {keyword!r}：Gemini 不支持它。</translation>
    </message>
    <message>
        <source>{keyword!r} was removed: it means nothing to a model.</source>
        <translation>移除了 {keyword!r}：它对模型没有意义。</translation>
    </message>
    <message>
        <source>{keyword!r} was removed: {why}.</source>
        <translation>省略了 {keyword!r}：{why}。</translation>
    </message>
    <message>
        <source>{keyword!r} was replaced by {bound!r} and a note.</source>
        <translation>{keyword!r} 现在是 {bound!r} 和一条说明。</translation>
    </message>
    <message>
        <source>{keyword!r} was replaced by {bound!r} {inner}.</source>
        <translation>{keyword!r} 现在是 {bound!r} {inner}。</translation>
    </message>
    <message>
        <source>{kind} in place of an object</source>
        <translation>{kind}，而不是对象</translation>
    </message>
    <message>
        <source>{kind} is not JSON</source>
        <translation>{kind} 不是 JSON</translation>
    </message>
    <message>
        <source>{label} (through the proxy {proxy})</source>
        <translation>{label}（经由代理 {proxy}）</translation>
    </message>
    <message>
        <source>{label} ({address})</source>
        <translation>{label}（{address}）</translation>
    </message>
    <message>
        <source>{label} broke off in the middle of its answer.</source>
        <translation>{label} 的回答中途中断。</translation>
    </message>
    <message>
        <source>{label} could not be reached, or the connection was lost: {cause}</source>
        <translation>无法连接 {label}，或连接中断：{cause}</translation>
    </message>
    <message>
        <source>{label} did not accept the key: {said}</source>
        <translation>{label} 不接受该密钥：{said}</translation>
    </message>
    <message>
        <source>{label} did not finish within {seconds:g} seconds.</source>
        <translation>{label} 在 {seconds:g} 秒内未完成。</translation>
    </message>
    <message>
        <source>{label} failed: {said}</source>
        <translation>{label} 失败：{said}</translation>
    </message>
    <message>
        <source>{label} has no counter for this API.</source>
        <translation>{label} 的此 API 没有计数功能。</translation>
    </message>
    <message>
        <source>{label} is overloaded: {said}</source>
        <translation>{label} 过载：{said}</translation>
    </message>
    <message>
        <source>{label} rate limit reached: {said}</source>
        <translation>已达到 {label} 的速率限制：{said}</translation>
    </message>
    <message>
        <source>{label} redirects to another address, which is not followed.</source>
        <translation>{label} 重定向到另一个地址，应用不会跟随。</translation>
    </message>
    <message>
        <source>{label} refused the request: {said}</source>
        <translation>{label} 拒绝了请求：{said}</translation>
    </message>
    <message>
        <source>{label} reports no remaining credit for this key: {said}</source>
        <translation>{label} 的这个密钥已没有余额：{said}</translation>
    </message>
    <message>
        <source>{label} sent a larger answer than is accepted.</source>
        <translation>{label} 发送的响应超出允许的大小。</translation>
    </message>
    <message>
        <source>{label} sent nothing for {seconds:g} seconds.</source>
        <translation>{label} 已有 {seconds:g} 秒没有发送任何内容。</translation>
    </message>
    <message>
        <source>{label} sent what is not an answer: {why}</source>
        <translation>{label} 发送的内容不是有效的响应：{why}</translation>
    </message>
    <message>
        <source>{label} {mistake}.</source>
        <translation>{label} {mistake}。</translation>
    </message>
    <message>
        <source>{label} {mistake}: {said}</source>
        <translation>{label} {mistake}：{said}</translation>
    </message>
    <message>
        <source>{limit} requests were made; open the MCP App again</source>
        <translation>已发出 {limit} 个请求；请重新打开该 MCP 应用</translation>
    </message>
    <message>
        <source>{member} is missing</source>
        <translation>缺少 {member}</translation>
    </message>
    <message>
        <source>{member} is not a list</source>
        <translation>{member} 不是列表</translation>
    </message>
    <message>
        <source>{message} (code {code})</source>
        <translation>{message}（代码 {code}）</translation>
    </message>
    <message>
        <source>{message} (code {code}, {status})</source>
        <translation>{message}（代码 {code}，{status}）</translation>
    </message>
    <message>
        <source>{message} (your rule {rule})</source>
        <translation>{message}（您的规则 {rule}）</translation>
    </message>
    <message>
        <source>{message} ({reason})</source>
        <translation>{message}（{reason}）</translation>
    </message>
    <message>
        <source>{message} {reason}</source>
        <translation>{message}（{reason}）</translation>
    </message>
    <message>
        <source>{message}. The call may have had effects.</source>
        <translation>{message}。这次调用可能已经产生影响。</translation>
    </message>
    <message>
        <source>{message}. The call was interrupted and may have had effects.</source>
        <translation>{message}。调用已中断，可能已经产生影响。</translation>
    </message>
    <message>
        <source>{message}. {remedy}</source>
        <translation>{message}。{remedy}</translation>
    </message>
    <message>
        <source>{message}; it is the tool&apos;s own default, so this does not stop the call</source>
        <translation>{message}；这是该工具自己的默认值，因此不阻止调用</translation>
    </message>
    <message>
        <source>{method} begins a session and is sent only once.</source>
        <translation>{method} 用于开始会话，只发送一次。</translation>
    </message>
    <message>
        <source>{model} does not see pictures: a note is sent in their place.</source>
        <translation>{model} 无法识别图片：会发送一条说明代替图片。</translation>
    </message>
    <message>
        <source>{model} is not given your tools: the chat template of its server has no room for them.</source>
        <translation>{model} 收不到您的工具：其服务器的聊天模板不支持工具。</translation>
    </message>
    <message>
        <source>{name!r} is given</source>
        <translation>给出了“{name}”</translation>
    </message>
    <message>
        <source>{name!r} is not a valid name for a secret</source>
        <translation>{name!r} 不能作为敏感信息的名称</translation>
    </message>
    <message>
        <source>{name!r} is not allowed</source>
        <translation>不允许“{name}”</translation>
    </message>
    <message>
        <source>{name!r} is required</source>
        <translation>“{name}”是必填的</translation>
    </message>
    <message>
        <source>{name!r} is {values}</source>
        <translation>“{name}”为 {values}</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 等（另有 {count} 个）</translation>
    </message>
    <message>
        <source>{name} ended unexpectedly.</source>
        <translation>{name} 意外结束。</translation>
    </message>
    <message>
        <source>{name} ended without an answer.</source>
        <translation>{name} 没有给出回答就结束了。</translation>
    </message>
    <message>
        <source>{name} is larger than {size}, the limit for a call</source>
        <translation>{name} 大于 {size}，这是一次调用中最多能发送的大小</translation>
    </message>
    <message>
        <source>{name} needs {other}</source>
        <translation>{name} 需要 {other}</translation>
    </message>
    <message>
        <source>{name} was given nothing that it may use.</source>
        <translation>没有为 {name} 指定可以使用的内容。</translation>
    </message>
    <message>
        <source>{name}: the tools could not be listed: {words}</source>
        <translation>{name}：无法列出工具：{words}</translation>
    </message>
    <message>
        <source>{name}: what is nested deeper than {levels} levels is read as anything</source>
        <translation>{name}：嵌套超过 {levels} 层的部分视为接受任何值</translation>
    </message>
    <message>
        <source>{name}: {problems}</source>
        <translation>{name}：{problems}</translation>
    </message>
    <message>
        <source>{old} lines become {new} others: too many to show</source>
        <translation>{old} 行变为 {new} 行：过多，无法显示</translation>
    </message>
    <message>
        <source>{options} and {count} more</source>
        <translation>{options} 等（另有 {count} 个）</translation>
    </message>
    <message>
        <source>{path} belongs to another user, who could change which programs it starts</source>
        <translation>{path} 属于另一个用户，该用户可以更改它启动的程序</translation>
    </message>
    <message>
        <source>{path} cannot be deleted: {reason}.</source>
        <translation>无法删除 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {strerror}</source>
        <translation>无法读取 {path}：{strerror}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {error}</source>
        <translation>无法写入 {path}：{error}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}; nothing was changed</source>
        <translation>无法写入 {path}：{strerror}；没有任何更改</translation>
    </message>
    <message>
        <source>{path} could not be unpacked: {error}</source>
        <translation>无法解压 {path}：{error}</translation>
    </message>
    <message>
        <source>{path} has changed; nothing was written</source>
        <translation>{path} 已被更改；未写入任何内容</translation>
    </message>
    <message>
        <source>{path} has the key &quot;{name}&quot; twice</source>
        <translation>{path} 中的键“{name}”出现了两次</translation>
    </message>
    <message>
        <source>{path} is a folder</source>
        <translation>{path} 是一个文件夹</translation>
    </message>
    <message>
        <source>{path} is a link that leads nowhere</source>
        <translation>{path} 是一个指向不存在位置的链接</translation>
    </message>
    <message>
        <source>{path} is larger than {limit} MB</source>
        <translation>{path} 大于 {limit} MB</translation>
    </message>
    <message>
        <source>{path} is not UTF-8 text</source>
        <translation>{path} 不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>{path} is not a file</source>
        <translation>{path} 不是文件</translation>
    </message>
    <message>
        <source>{path} is not valid TOML: {error}</source>
        <translation>{path} 不是有效的 TOML：{error}</translation>
    </message>
    <message>
        <source>{path} is read-only</source>
        <translation>{path} 为只读</translation>
    </message>
    <message>
        <source>{path} was removed, moved or replaced while it was in use. Calls are recorded in the file that is there now.</source>
        <translation>{path} 在使用期间被删除、移动或替换。此后的调用记录在现在的文件中。</translation>
    </message>
    <message>
        <source>{path} {why}. It was put aside as {name}; a new one was begun.</source>
        <translation>{path} 无法继续使用（{why}）。它已另存为 {name}，并已新建一个文件。</translation>
    </message>
    <message>
        <source>{path} {why}. {taken} calls were taken over into a new file, {unread} could not be read, {left} older ones did not fit. The old file was kept as {name}.</source>
        <translation>{path} 无法继续使用（{why}）。{taken} 次调用已转入新文件，{unread} 次无法读取，{left} 次较早的调用超出上限。旧文件保留为 {name}。</translation>
    </message>
    <message>
        <source>{path} {words}</source>
        <translation>{path} {words}</translation>
    </message>
    <message>
        <source>{place} does not exist</source>
        <translation>{place} 不存在</translation>
    </message>
    <message>
        <source>{place} holds all of your home</source>
        <translation>{place} 包含您的整个主文件夹</translation>
    </message>
    <message>
        <source>{place} holds files of mcp-desktop itself</source>
        <translation>{place} 包含 mcp-desktop 自己的文件</translation>
    </message>
    <message>
        <source>{place} is missing, expected {wanted}</source>
        <translation>缺少 {place}，应为 {wanted}</translation>
    </message>
    <message>
        <source>{place} is not a whole path</source>
        <translation>{place} 不是完整路径</translation>
    </message>
    <message>
        <source>{place} is the system&apos;s</source>
        <translation>{place} 属于系统</translation>
    </message>
    <message>
        <source>{place} was not expected: {got}</source>
        <translation>不应有 {place}：{got}</translation>
    </message>
    <message>
        <source>{place}: expected {wanted}, got {got}</source>
        <translation>{place}：应为 {wanted}，实际为 {got}</translation>
    </message>
    <message>
        <source>{program} comes with {product}: install it from {address}, then restart the server.</source>
        <translation>{program} 随 {product} 提供：请从 {address} 安装，然后重启服务器。</translation>
    </message>
    <message>
        <source>{program} run closes the input of the server without &quot;-i&quot;: add it behind &quot;run&quot;.</source>
        <translation>没有 &quot;-i&quot; 时 {program} run 会关闭服务器的输入：请在 &quot;run&quot; 之后加上它。</translation>
    </message>
    <message>
        <source>{provider} accepts at most {most} tools per request, not {count}. Choose fewer servers, or switch tools off.</source>
        <translation>{provider} 每个请求最多接受 {most} 个工具，现有 {count} 个。请选择较少的服务器，或停用一些工具。</translation>
    </message>
    <message>
        <source>{requests} requests, {tokens} tokens, {seconds} s</source>
        <translation>{requests} 次请求，{tokens} 个 token，{seconds} 秒</translation>
    </message>
    <message>
        <source>{server} did not answer within {seconds:g} s.</source>
        <translation>{server} 在 {seconds:g} 秒内未响应。</translation>
    </message>
    <message>
        <source>{server} does not report changes to {uri}. Read it again to see them.</source>
        <translation>{server} 不会通知 {uri} 的变化。请重新读取以查看。</translation>
    </message>
    <message>
        <source>{server} is not connected ({state})</source>
        <translation>{server} 未连接（{state}）</translation>
    </message>
    <message>
        <source>{server} is not connected ({state}). Switch it on or restart it.</source>
        <translation>{server} 未连接（{state}）。请启用或重启它。</translation>
    </message>
    <message>
        <source>{server} is switched off: its tools cannot be called</source>
        <translation>{server} 已停用：无法调用它的工具</translation>
    </message>
    <message>
        <source>{server} needs more permissions ({status}).</source>
        <translation>{server} 需要更多权限（{status}）。</translation>
    </message>
    <message>
        <source>{server} requires you to sign in ({status}).</source>
        <translation>{server} 要求登录（{status}）。</translation>
    </message>
    <message>
        <source>{server} {why}.</source>
        <translation>{server} {why}。</translation>
    </message>
    <message>
        <source>{server} {why}: {headline}</source>
        <translation>{server} {why}：{headline}</translation>
    </message>
    <message>
        <source>{server}, its prompts</source>
        <translation>{server} 的提示词</translation>
    </message>
    <message>
        <source>{server}, its resources</source>
        <translation>{server} 的资源</translation>
    </message>
    <message>
        <source>{server}, its tasks</source>
        <translation>{server} 的任务</translation>
    </message>
    <message>
        <source>{server}, log level</source>
        <translation>{server}，日志级别</translation>
    </message>
    <message>
        <source>{server}, subscription to {uri}</source>
        <translation>{server}，对 {uri} 的订阅</translation>
    </message>
    <message>
        <source>{server}, task {task}</source>
        <translation>{server}，任务 {task}</translation>
    </message>
    <message>
        <source>{server}, values of {argument}</source>
        <translation>{server}，{argument} 的候选值</translation>
    </message>
    <message>
        <source>{server}, {uri}</source>
        <translation>{server}，{uri}</translation>
    </message>
    <message>
        <source>{server}: the subscription limit of {count} is reached.</source>
        <translation>{server}：已达到 {count} 个订阅的上限。</translation>
    </message>
    <message>
        <source>{server}: {reason}</source>
        <translation>{server}：{reason}</translation>
    </message>
    <message>
        <source>{server}: {words}</source>
        <translation>{server}：{words}</translation>
    </message>
    <message>
        <source>{session!r} is no session.</source>
        <translation>{session!r} 不是会话。</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>{size} 内存</translation>
    </message>
    <message>
        <source>{subject} did not respond or report progress within {limit:g} s and was cancelled. Allow more time in the server&apos;s settings, or with --timeout for a single call.</source>
        <translation>{subject} 在 {limit:g} 秒内没有响应，也没有报告进度，已取消。可以在服务器的设置中增大超时，或对单次调用使用 --timeout。</translation>
    </message>
    <message>
        <source>{subject}: {words}</source>
        <translation>{subject}：{words}</translation>
    </message>
    <message>
        <source>{template} has no variable {name!r}.</source>
        <translation>{template} 没有变量 {name!r}。</translation>
    </message>
    <message>
        <source>{template} is not a URI template.</source>
        <translation>{template} 不是 URI 模板。</translation>
    </message>
    <message>
        <source>{template} lets a value choose the scheme of the URI; nothing was sent.</source>
        <translation>{template} 让一个值来决定 URI 的方案（scheme）；未发送任何内容。</translation>
    </message>
    <message>
        <source>{template} needs a value for {missing}.</source>
        <translation>{template} 需要 {missing} 的值。</translation>
    </message>
    <message>
        <source>{text!r} is no path at {place!r}</source>
        <translation>“{text}”在“{place}”处不是路径</translation>
    </message>
    <message>
        <source>{text!r} is no path of one value: it has [*]</source>
        <translation>“{text}”不是单个值的路径：其中有 [*]</translation>
    </message>
    <message>
        <source>{text} cannot be read: {why}; write ${{{{ NAME.path }}}}, a NAME with a dot in quotes, or $${{{{ for the characters themselves</source>
        <translation>{text} 无法解读：{why}；请写成 ${{{{ NAME.path }}}}，带点的 NAME 请加引号；若要写这几个字符本身，请写成 $${{{{</translation>
    </message>
    <message>
        <source>{text} has no }}}} (write $${{{{ for it)</source>
        <translation>{text} 缺少 }}}}（若要写这几个字符本身，请写成 $${{{{）</translation>
    </message>
    <message>
        <source>{text} is not in the answer: {answer}</source>
        <translation>回答中没有 {text}：{answer}</translation>
    </message>
    <message>
        <source>{text} is not in the output: {output}</source>
        <translation>输出中没有 {text}：{output}</translation>
    </message>
    <message>
        <source>{text} is not known before {name!r} has run</source>
        <translation>在“{name}”运行之前，{text} 是未知的</translation>
    </message>
    <message>
        <source>{text} makes the arguments too large</source>
        <translation>{text} 使参数过大</translation>
    </message>
    <message>
        <source>{text} names no call: write ${{{{ NAME.path }}}}</source>
        <translation>{text} 没有写明调用：请写成 ${{{{ NAME.path }}}}</translation>
    </message>
    <message>
        <source>{text}: the result of {name!r} has no structured content, and its output is no JSON, or too long</source>
        <translation>{text}：“{name}”的结果没有结构化内容，其输出也不是 JSON，或者过长</translation>
    </message>
    <message>
        <source>{text}: there is no such value in the result of {name!r}: {shape}</source>
        <translation>{text}：“{name}”的结果中没有这个值：{shape}</translation>
    </message>
    <message>
        <source>{times}x not measured: {message}</source>
        <translation>{times} 次未测得：{message}</translation>
    </message>
    <message>
        <source>{times}x {message}</source>
        <translation>{times} 次：{message}</translation>
    </message>
    <message>
        <source>{tokens} tokens, at most {most}</source>
        <translation>{tokens} 个 token，上限为 {most}</translation>
    </message>
    <message>
        <source>{tool} alone takes {percent} % of the window.</source>
        <translation>仅 {tool} 就占用窗口的 {percent} %。</translation>
    </message>
    <message>
        <source>{tool} is not offered to {provider}: {reason}.</source>
        <translation>不向 {provider} 提供 {tool}：{reason}。</translation>
    </message>
    <message>
        <source>{tool} was called</source>
        <translation>调用了 {tool}</translation>
    </message>
    <message>
        <source>{turns} requests to the model, at most {most}</source>
        <translation>向模型请求了 {turns} 次，上限为 {most} 次</translation>
    </message>
    <message>
        <source>{uri} is not an MCP App: the server sent no {mime}.</source>
        <translation>{uri} 不是 MCP 应用：服务器没有发送 {mime}。</translation>
    </message>
    <message>
        <source>{variable}: {reason}</source>
        <translation>{variable}：{reason}</translation>
    </message>
    <message>
        <source>{wanted} was expected, got {got}</source>
        <translation>应为 {wanted}，实际为 {got}</translation>
    </message>
    <message>
        <source>{what} contains a number with too many digits</source>
        <translation>{what} 中有一个位数过多的数字</translation>
    </message>
    <message>
        <source>{what} is nested too deeply</source>
        <translation>{what} 嵌套过深</translation>
    </message>
    <message>
        <source>{what} is not valid JSON: {mark} at line {line}, column {column} is a full-width character</source>
        <translation>JSON 无效（{what}，第 {line} 行第 {column} 列）：“{mark}”是全角字符</translation>
    </message>
    <message>
        <source>{what} is not valid JSON: {words} at line {line}, column {column}</source>
        <translation>JSON 无效（{what}，第 {line} 行第 {column} 列）：{words}</translation>
    </message>
    <message>
        <source>{what}: entry {number} of the list must be an object with a &quot;name&quot;</source>
        <translation>{what}：列表的第 {number} 项必须是带有 &quot;name&quot; 的对象</translation>
    </message>
    <message>
        <source>{what}: two servers are called &quot;{name}&quot;</source>
        <translation>{what}：有两个服务器都名为“{name}”</translation>
    </message>
    <message>
        <source>{where} {what}</source>
        <translation>{where} {what}</translation>
    </message>
    <message>
        <source>{where}: {what}</source>
        <translation>{where}：{what}</translation>
    </message>
    <message>
        <source>{why}: {headline}</source>
        <translation>{why}：{headline}</translation>
    </message>
    <message>
        <source>{words}: {said}</source>
        <translation>{words}：{said}</translation>
    </message>
    <message>
        <source>{words}; it asks to wait until {date}</source>
        <translation>{words}；它要求等到 {date}</translation>
    </message>
    <message>
        <source>{words}; it asks to wait {seconds} s</source>
        <translation>{words}；它要求等待 {seconds} 秒</translation>
    </message>
    <message>
        <source>“{name}” is a built-in server: switch it on in the list, or add this one as “{target}”</source>
        <translation>“{name}”是内置服务器：可在列表中启用它，或将此服务器添加为“{target}”</translation>
    </message>
    <message>
        <source>“{name}” must be one of {choices}</source>
        <translation>“{name}”必须是以下之一：{choices}</translation>
    </message>
</context>
<context>
    <name>AccessChoice</name>
    <message>
        <source>At an address, on port</source>
        <translation>通过地址，端口</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>The app starts it (recommended)</source>
        <translation>由该应用启动（推荐）</translation>
    </message>
    <message>
        <source>While this window is open, the app uses the servers that run here.</source>
        <translation>此窗口打开期间，该应用使用在这里运行的服务器。</translation>
    </message>
    <message>
        <source>Your token is written into the file. The app connects while this runs: {command}</source>
        <translation>您的 token 会写入该文件。运行以下命令期间，该应用可以连接：{command}</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Activity</source>
        <translation>调用记录</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Exported 1 line to {file}. Known secrets were removed.</source>
        <translation>已将 1 行写入 {file}，其中不含已知的敏感信息。</translation>
    </message>
    <message>
        <source>Exported {count} lines to {file}. Known secrets were removed.</source>
        <translation>已将 {count} 行写入 {file}，其中不含已知的敏感信息。</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>ActivityWords</name>
    <message>
        <source>Answered</source>
        <translation>已响应</translation>
    </message>
    <message>
        <source>Approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>Arguments checked</source>
        <translation>已检查参数</translation>
    </message>
    <message>
        <source>Arguments read</source>
        <translation>已读取参数</translation>
    </message>
    <message>
        <source>Asked for approval</source>
        <translation>请求批准</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Notification</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>已收到</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>未通过检查</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Result checked</source>
        <translation>已检查结果</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>Sent without validation</source>
        <translation>未经验证即发送</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Tool found</source>
        <translation>已找到工具</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
</context>
<context>
    <name>AddressField</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>AdviceRow</name>
    <message>
        <source>For this conversation; other servers stay selected.</source>
        <translation>仅限此对话；其他服务器保持选中。</translation>
    </message>
    <message>
        <source>Go on without {server}: saves {tokens}</source>
        <translation>不使用 {server}：节省 {tokens}</translation>
    </message>
    <message>
        <source>Switching it off on the Servers page saves {tokens}.</source>
        <translation>在“服务器”页面停用它可节省 {tokens}。</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>1 call, in the history</source>
        <translation>1 次调用，见历史记录</translation>
    </message>
    <message>
        <source>Allow these addresses</source>
        <translation>允许这些地址</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>MCP App of {tool}</source>
        <translation>{tool} 的 MCP 应用</translation>
    </message>
    <message>
        <source>Network access: {domains}</source>
        <translation>网络访问：{domains}</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the address and open it yourself.</source>
        <translation>无法启动浏览器。请复制地址并自行打开。</translation>
    </message>
    <message>
        <source>No network access. Calls go to the same server, each with your approval.</source>
        <translation>无网络访问。调用只发往同一服务器，且须经您批准。</translation>
    </message>
    <message>
        <source>Not available: {devices}</source>
        <translation>不提供：{devices}</translation>
    </message>
    <message>
        <source>Not possible: {domains}</source>
        <translation>不可用：{domains}</translation>
    </message>
    <message>
        <source>Open here</source>
        <translation>在此打开</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Requests network access: {domains}</source>
        <translation>请求网络访问：{domains}</translation>
    </message>
    <message>
        <source>Shows the result with the page of the server, in a sandbox</source>
        <translation>用服务器的页面在沙盒中显示结果</translation>
    </message>
    <message>
        <source>The MCP App requests a call of {tool}</source>
        <translation>MCP 应用请求调用 {tool}</translation>
    </message>
    <message>
        <source>{count} calls, in the history</source>
        <translation>{count} 次调用，见历史记录</translation>
    </message>
    <message>
        <source>{count} earlier notes</source>
        <translation>另有 {count} 条较早的记录</translation>
    </message>
</context>
<context>
    <name>AppLabels</name>
    <message>
        <source>Approval needed</source>
        <translation>需要批准</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Leave full view</source>
        <translation>退出完整视图</translation>
    </message>
    <message>
        <source>Not open</source>
        <translation>未打开</translation>
    </message>
    <message>
        <source>Open below</source>
        <translation>已在下方打开</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>已在浏览器中打开</translation>
    </message>
    <message>
        <source>This MCP App is closed. You can close the tab.</source>
        <translation>此 MCP 应用已关闭，可以关闭此标签页。</translation>
    </message>
    <message>
        <source>This MCP App is open in another tab. Open it again from mcp-desktop.</source>
        <translation>此 MCP 应用已在另一个标签页中打开。请从 mcp-desktop 重新打开。</translation>
    </message>
    <message>
        <source>This page comes from the server and runs in a sandbox. Its requests are shown in mcp-desktop.</source>
        <translation>此页面来自服务器，在沙盒中运行。它的请求显示在 mcp-desktop 中。</translation>
    </message>
    <message>
        <source>Waiting for the browser</source>
        <translation>正在等待浏览器</translation>
    </message>
    <message>
        <source>mcp-desktop does not answer any more. You can close the tab.</source>
        <translation>mcp-desktop 已不再响应，可以关闭此标签页。</translation>
    </message>
</context>
<context>
    <name>ApprovalNotifier</name>
    <message>
        <source>A call needs your approval</source>
        <translation>有调用需要您批准</translation>
    </message>
    <message>
        <source>{count} calls need your approval</source>
        <translation>{count} 个调用需要您批准</translation>
    </message>
</context>
<context>
    <name>ApprovalPanel</name>
    <message>
        <source>A allows · D denies · E edits</source>
        <translation>A 允许 · D 拒绝 · E 编辑</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Always allow this tool</source>
        <translation>始终允许此工具</translation>
    </message>
    <message>
        <source>Approval for {tool}</source>
        <translation>{tool} 的授权</translation>
    </message>
    <message>
        <source>Changes {path}</source>
        <translation>更改 {path}</translation>
    </message>
    <message>
        <source>Correct the arguments</source>
        <translation>修改参数</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>Never allow this tool</source>
        <translation>永不允许此工具</translation>
    </message>
    <message>
        <source>New file {path}</source>
        <translation>新文件 {path}</translation>
    </message>
    <message>
        <source>Not sent. Correct the arguments first.</source>
        <translation>未发送。请先更正参数。</translation>
    </message>
    <message>
        <source>Reason for denying</source>
        <translation>拒绝的原因</translation>
    </message>
    <message>
        <source>Reason to deny, shown to the model (optional)</source>
        <translation>拒绝的理由，会告知模型（可选）</translation>
    </message>
    <message>
        <source>The server changed this tool since you allowed it. Changes:</source>
        <translation>允许此工具后，服务器更改了它。更改：</translation>
    </message>
    <message>
        <source>{path} stays as it is</source>
        <translation>{path} 保持不变</translation>
    </message>
</context>
<context>
    <name>ApprovalRow</name>
    <message>
        <source>Always allow</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Always asks: shell commands cannot be allowed in advance.</source>
        <translation>始终询问：Shell 命令不能预先允许。</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Asks again: the approved version is unknown.</source>
        <translation>会再次询问：不知道授权的是哪个版本。</translation>
    </message>
    <message>
        <source>Asks before each call.</source>
        <translation>每次调用前都会询问。</translation>
    </message>
    <message>
        <source>Calls of {tool}</source>
        <translation>对 {tool} 的调用</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Never allow</source>
        <translation>永不允许</translation>
    </message>
    <message>
        <source>Never runs. The model is notified.</source>
        <translation>永不运行，并会告知模型。</translation>
    </message>
    <message>
        <source>Runs without asking until the server changes it.</source>
        <translation>不经询问直接运行，直到服务器更改它。</translation>
    </message>
</context>
<context>
    <name>ApprovalsSection</name>
    <message>
        <source>A saved approval overrides the switch above.</source>
        <translation>已记住的授权优先于上面的开关。</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>工具授权</translation>
    </message>
    <message>
        <source>Change an approval</source>
        <translation>更改授权</translation>
    </message>
    <message>
        <source>Each tool asks again at its next call, unless the switch lets it run.</source>
        <translation>每个工具下次调用时都会询问，除非开关允许其不经询问运行。</translation>
    </message>
    <message>
        <source>Forget all</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>Forget all approvals</source>
        <translation>清除所有授权</translation>
    </message>
    <message>
        <source>Forget all saved approvals?</source>
        <translation>清除所有已记住的授权？</translation>
    </message>
    <message>
        <source>Forget all…</source>
        <translation>全部清除…</translation>
    </message>
    <message>
        <source>No saved approvals yet. The first call of each tool asks.</source>
        <translation>还没有已记住的授权。每个工具首次调用时都会询问。</translation>
    </message>
    <message>
        <source>No saved approvals yet. The first call of every other tool asks.</source>
        <translation>还没有已记住的授权。其他工具首次调用时都会询问。</translation>
    </message>
    <message>
        <source>Run tools marked read-only without asking</source>
        <translation>标记为只读的工具不经询问直接运行</translation>
    </message>
    <message>
        <source>Saved approvals</source>
        <translation>已记住的授权</translation>
    </message>
    <message>
        <source>Servers mark their own tools; the marks are not verified. Shell commands always ask.</source>
        <translation>标记由服务器自行声明，未经核实。Shell 命令始终会询问。</translation>
    </message>
    <message>
        <source>Show more ({count})</source>
        <translation>显示更多（{count}）</translation>
    </message>
</context>
<context>
    <name>ArgumentClipboard</name>
    <message>
        <source>Arguments replaced.</source>
        <translation>参数已被替换。</translation>
    </message>
    <message>
        <source>Copied the arguments</source>
        <translation>已复制参数</translation>
    </message>
    <message>
        <source>Copied the command</source>
        <translation>已复制命令</translation>
    </message>
    <message>
        <source>Copied the program</source>
        <translation>已复制程序</translation>
    </message>
    <message>
        <source>Copied the request</source>
        <translation>已复制请求</translation>
    </message>
    <message>
        <source>Form cleared.</source>
        <translation>表单已清空。</translation>
    </message>
    <message>
        <source>Not copied: {reason}.</source>
        <translation>未复制：{reason}。</translation>
    </message>
    <message>
        <source>Pasted from a call of {tool}.</source>
        <translation>已从 {tool} 的调用粘贴。</translation>
    </message>
    <message>
        <source>The arguments contain invalid JSON. Correct it first.</source>
        <translation>参数中含有无效的 JSON。请先更正。</translation>
    </message>
    <message>
        <source>The clipboard does not contain a JSON object or a single call.</source>
        <translation>剪贴板中不是 JSON 对象，也不是单个调用。</translation>
    </message>
    <message>
        <source>The clipboard is not valid JSON: line {line}, column {column}: {problem}</source>
        <translation>剪贴板中的 JSON 无效（第 {line} 行第 {column} 列）：{problem}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ArgumentField</name>
    <message>
        <source>Suggest values</source>
        <translation>请求可选值</translation>
    </message>
</context>
<context>
    <name>ArgumentsJsonView</name>
    <message>
        <source>Arguments as JSON</source>
        <translation>参数（JSON）</translation>
    </message>
    <message>
        <source>Ctrl+Enter runs, Ctrl+J shows the form</source>
        <translation>Ctrl+Enter 运行，Ctrl+J 显示表单</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式化</translation>
    </message>
    <message>
        <source>Format the JSON</source>
        <translation>格式化 JSON</translation>
    </message>
</context>
<context>
    <name>ArrayField</name>
    <message>
        <source>Add item</source>
        <translation>添加一项</translation>
    </message>
    <message>
        <source>Fill in</source>
        <translation>填写</translation>
    </message>
    <message>
        <source>Maximum of 1 item reached</source>
        <translation>已达上限：1 项</translation>
    </message>
    <message>
        <source>Maximum of {count} items reached</source>
        <translation>已达上限：{count} 项</translation>
    </message>
    <message>
        <source>The list is empty.</source>
        <translation>列表为空。</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>The pasted image</source>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}</source>
        <translation>无法读取 {name}：{reason}</translation>
    </message>
    <message>
        <source>{name} is larger than {size} KB.</source>
        <translation>{name} 大于 {size} KB。</translation>
    </message>
    <message>
        <source>{name} is larger than {size} MB.</source>
        <translation>{name} 超过 {size} MB。</translation>
    </message>
    <message>
        <source>{name} is neither a text nor a PNG, JPEG, GIF or WebP image.</source>
        <translation>{name} 既不是文本，也不是 PNG、JPEG、GIF 或 WebP 图片。</translation>
    </message>
    <message>
        <source>{name} is not a PNG, JPEG, GIF or WebP image.</source>
        <translation>{name} 不是 PNG、JPEG、GIF 或 WebP 图片。</translation>
    </message>
    <message>
        <source>{name} is not a file.</source>
        <translation>{name} 不是文件。</translation>
    </message>
</context>
<context>
    <name>AudioCard</name>
    <message>
        <source>Audio</source>
        <translation>音频</translation>
    </message>
    <message>
        <source>Cannot play this: {reason}</source>
        <translation>无法播放：{reason}</translation>
    </message>
    <message>
        <source>Install mcp-desktop[audio] to play it here.</source>
        <translation>安装 mcp-desktop[audio] 即可在此播放。</translation>
    </message>
    <message>
        <source>Not WAV, MP3, Ogg or FLAC. Save it to play it in another app.</source>
        <translation>不是 WAV、MP3、Ogg 或 FLAC。请保存后用其他应用播放。</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Qt Multimedia could not start: {reason}</source>
        <translation>Qt Multimedia 无法启动：{reason}</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The audio data is missing.</source>
        <translation>缺少音频数据。</translation>
    </message>
</context>
<context>
    <name>Band</name>
    <message>
        <source>Later: the server keeps waiting</source>
        <translation>稍后：服务器会继续等待</translation>
    </message>
    <message>
        <source>Next request</source>
        <translation>下一个请求</translation>
    </message>
    <message>
        <source>Previous request</source>
        <translation>上一个请求</translation>
    </message>
    <message>
        <source>Request from “{server}”</source>
        <translation>来自“{server}”的请求</translation>
    </message>
    <message>
        <source>This comes from the server, not from the app. It receives your answer.</source>
        <translation>这来自服务器，而不是本应用。它会收到您的回答。</translation>
    </message>
    <message>
        <source>{at} of {count}</source>
        <translation>第 {at} 个，共 {count} 个</translation>
    </message>
    <message>
        <source>{count} from this server</source>
        <translation>此服务器有 {count} 个</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>BoundedText</name>
    <message>
        <source>
… 1 more character</source>
        <translation>
… 另有 1 个字符</translation>
    </message>
    <message>
        <source>
… {count} more characters</source>
        <translation>
… 另有 {count} 个字符</translation>
    </message>
</context>
<context>
    <name>BuiltinPlaces</name>
    <message>
        <source>{name} has no access to your files</source>
        <translation>{name} 无法访问您的文件</translation>
    </message>
    <message>
        <source>{name} may fetch pages, including on private networks</source>
        <translation>{name} 可以抓取网页，包括内网中的网页</translation>
    </message>
    <message>
        <source>{name} may fetch public web pages</source>
        <translation>{name} 可以获取公开的网页</translation>
    </message>
    <message>
        <source>{name} may read and change {place}</source>
        <translation>{name} 可以读取和更改 {place}</translation>
    </message>
    <message>
        <source>{name} may read and write in {place}</source>
        <translation>{name} 可以读写 {place}</translation>
    </message>
    <message>
        <source>{name} may read and write its memory file</source>
        <translation>{name} 可以读写它的记忆文件</translation>
    </message>
    <message>
        <source>{name} may read in {place}</source>
        <translation>{name} 可以读取 {place}</translation>
    </message>
    <message>
        <source>{name} may read {place}</source>
        <translation>{name} 可以读取 {place}</translation>
    </message>
    <message>
        <source>{name} may run any command as you, anywhere</source>
        <translation>{name} 能以您的身份在任意位置执行任意命令</translation>
    </message>
    <message>
        <source>{name} starts once more for this conversation, with its own settings</source>
        <translation>此对话会另启动一个 {name}，使用单独的设置</translation>
    </message>
    <message>
        <source>{name}: choose what it may access; it cannot start without</source>
        <translation>{name}：请选择它可以使用的位置，否则它无法启动</translation>
    </message>
</context>
<context>
    <name>BuiltinRow</name>
    <message>
        <source>A database</source>
        <translation>一个数据库</translation>
    </message>
    <message>
        <source>A folder</source>
        <translation>一个文件夹</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>File of {name}</source>
        <translation>{name} 的文件</translation>
    </message>
    <message>
        <source>Folder of {name}</source>
        <translation>{name} 的文件夹</translation>
    </message>
    <message>
        <source>May write</source>
        <translation>可写入</translation>
    </message>
</context>
<context>
    <name>BuiltinServers</name>
    <message>
        <source>Adds, subtracts, multiplies, divides, raises to a power, evaluates expressions.</source>
        <translation>加、减、乘、除、乘方，并计算表达式。</translation>
    </message>
    <message>
        <source>Fetches web pages as Markdown; never from this computer or a private network.</source>
        <translation>将网页抓取为 Markdown；不会访问本机和内网。</translation>
    </message>
    <message>
        <source>Gives the time in any time zone and converts between zones.</source>
        <translation>查询任意时区的时间，并在时区之间换算。</translation>
    </message>
    <message>
        <source>Queries a SQLite database; changes it only if you allow it.</source>
        <translation>查询 SQLite 数据库；仅在您允许时更改它。</translation>
    </message>
    <message>
        <source>Reads, searches, writes and edits files in the folders you choose.</source>
        <translation>在您选择的文件夹中读取、搜索、写入和编辑文件。</translation>
    </message>
    <message>
        <source>Remembers entities, facts and relations across restarts.</source>
        <translation>持久保存实体、事实和关系。</translation>
    </message>
    <message>
        <source>Runs a command with a time limit and ends everything it started.</source>
        <translation>运行命令（超时即停止），并清理其启动的所有进程。</translation>
    </message>
</context>
<context>
    <name>BuiltinSettingsView</name>
    <message>
        <source>Add a folder: without one, none of its tools can be used.</source>
        <translation>请添加文件夹：没有文件夹，它的任何工具都无法使用。</translation>
    </message>
    <message>
        <source>Allowed hosts</source>
        <translation>允许的主机</translation>
    </message>
    <message>
        <source>Choose a database: without one, none of its tools can be used.</source>
        <translation>请选择数据库：没有数据库，它的任何工具都无法使用。</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>Drop folders here, or type one per line</source>
        <translation>将文件夹拖到此处，或每行输入一个</translation>
    </message>
    <message>
        <source>File of the memory</source>
        <translation>记忆文件</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folders it may use</source>
        <translation>允许使用的文件夹</translation>
    </message>
    <message>
        <source>It can access nothing else. New conversations start with them.</source>
        <translation>其他位置均无法访问。新对话将沿用这些文件夹。</translation>
    </message>
    <message>
        <source>Leave empty to keep it with the data of the app.</source>
        <translation>留空则与应用数据保存在一起。</translation>
    </message>
    <message>
        <source>May write</source>
        <translation>可写入</translation>
    </message>
    <message>
        <source>New conversations start with it.</source>
        <translation>新对话将沿用它。</translation>
    </message>
    <message>
        <source>Private networks and this computer, too</source>
        <translation>也允许内网和本机</translation>
    </message>
    <message>
        <source>Subdomains are included. Leave empty for all public hosts.</source>
        <translation>包含子域名。留空则允许所有公共主机。</translation>
    </message>
    <message>
        <source>Where commands start. It does not limit what they reach.</source>
        <translation>命令的起始位置，并不限制命令能访问的范围。</translation>
    </message>
    <message>
        <source>example.org, docs.python.org</source>
        <translation>example.org, docs.python.org</translation>
    </message>
</context>
<context>
    <name>BytesCard</name>
    <message>
        <source>1 more byte is not shown</source>
        <translation>另有 1 个字节未显示</translation>
    </message>
    <message>
        <source>It could not be saved: {reason}</source>
        <translation>无法保存：{reason}</translation>
    </message>
    <message>
        <source>No app on this computer can open it. Save it instead.</source>
        <translation>本机上没有应用可以打开它。请改为保存。</translation>
    </message>
    <message>
        <source>Open in the system&apos;s viewer</source>
        <translation>用系统查看器打开</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>The bytes in hexadecimal</source>
        <translation>十六进制字节</translation>
    </message>
    <message>
        <source>{count} more bytes are not shown</source>
        <translation>另有 {count} 个字节未显示</translation>
    </message>
</context>
<context>
    <name>CalendarPopup</name>
    <message>
        <source>Calendar</source>
        <translation>日历</translation>
    </message>
</context>
<context>
    <name>CallCard</name>
    <message>
        <source>Call of {tool}: {state}</source>
        <translation>调用 {tool}：{state}</translation>
    </message>
    <message>
        <source>Cancel this call; the model continues without its result</source>
        <translation>取消此调用，模型会在没有结果时继续</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Open in Tools with these arguments</source>
        <translation>用这些参数在“工具”中打开</translation>
    </message>
</context>
<context>
    <name>CallFilters</name>
    <message>
        <source>Any caller</source>
        <translation>所有调用方</translation>
    </message>
    <message>
        <source>Any outcome</source>
        <translation>所有状态</translation>
    </message>
    <message>
        <source>Any server</source>
        <translation>全部服务器</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>所有时间</translation>
    </message>
    <message>
        <source>Calls by</source>
        <translation>调用方</translation>
    </message>
    <message>
        <source>Calls of this server</source>
        <translation>此服务器的调用</translation>
    </message>
    <message>
        <source>Calls of this time</source>
        <translation>这段时间的调用</translation>
    </message>
    <message>
        <source>Calls with this outcome</source>
        <translation>此结果的调用</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近一小时</translation>
    </message>
    <message>
        <source>Search tools, arguments and results</source>
        <translation>搜索工具、参数和结果</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
</context>
<context>
    <name>CallMenu</name>
    <message>
        <source>Arguments as JSON</source>
        <translation>参数（JSON）</translation>
    </message>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Copy this call as…</source>
        <translation>将此调用复制为…</translation>
    </message>
    <message>
        <source>Earlier calls</source>
        <translation>以前的调用</translation>
    </message>
    <message>
        <source>JSON-RPC request</source>
        <translation>JSON-RPC 请求</translation>
    </message>
    <message>
        <source>More actions for this call</source>
        <translation>此调用的更多操作</translation>
    </message>
    <message>
        <source>Paste JSON as arguments</source>
        <translation>将 JSON 粘贴为参数</translation>
    </message>
    <message>
        <source>Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>Save call…</source>
        <translation>保存调用…</translation>
    </message>
    <message>
        <source>Terminal command</source>
        <translation>终端命令</translation>
    </message>
</context>
<context>
    <name>CallOrigin</name>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>App</source>
        <translation>MCP 应用</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>You</source>
        <translation>手动</translation>
    </message>
</context>
<context>
    <name>CallQuestion</name>
    <message>
        <source>Another app</source>
        <translation>另一个应用</translation>
    </message>
    <message>
        <source>{app} wants to call {tool}</source>
        <translation>{app} 请求调用 {tool}</translation>
    </message>
</context>
<context>
    <name>CallView</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Still running.</source>
        <translation>仍在运行。</translation>
    </message>
    <message>
        <source>This large result was dropped to make room for later ones.</source>
        <translation>其结果较大，已为之后的结果让出空间。</translation>
    </message>
</context>
<context>
    <name>CardColumn</name>
    <message>
        <source>1 more is not shown</source>
        <translation>另有 1 项未显示</translation>
    </message>
    <message>
        <source>{count} more are not shown</source>
        <translation>另有 {count} 项未显示</translation>
    </message>
</context>
<context>
    <name>CatalogueDialog</name>
    <message>
        <source>1 entry could not be read.</source>
        <translation>有 1 个条目无法读取。</translation>
    </message>
    <message>
        <source>Add (switched off)</source>
        <translation>添加（暂不启用）</translation>
    </message>
    <message>
        <source>Added switched off: nothing runs until you switch it on.</source>
        <translation>添加后默认不启用；启用前不会运行任何程序。</translation>
    </message>
    <message>
        <source>Adding the server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>正在添加…</translation>
    </message>
    <message>
        <source>Asking {host}…</source>
        <translation>正在查询 {host}…</translation>
    </message>
    <message>
        <source>Browse all</source>
        <translation>浏览全部</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>MCP 市场</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Correct what is marked first.</source>
        <translation>请先更正标出的内容。</translation>
    </message>
    <message>
        <source>Could not be looked up:</source>
        <translation>未能查询：</translation>
    </message>
    <message>
        <source>Download from {host}</source>
        <translation>从 {host} 下载</translation>
    </message>
    <message>
        <source>Downloading the bundle</source>
        <translation>正在下载 MCP 包</translation>
    </message>
    <message>
        <source>Downloading…</source>
        <translation>正在下载…</translation>
    </message>
    <message>
        <source>Every server from the catalogue is at its newest version.</source>
        <translation>来自 MCP 市场的服务器都已是最新版本。</translation>
    </message>
    <message>
        <source>Fill in what it requires: {names}</source>
        <translation>请填写必填项：{names}</translation>
    </message>
    <message>
        <source>Looking for updates</source>
        <translation>查找更新</translation>
    </message>
    <message>
        <source>Nothing is started by this (Ctrl+Enter)</source>
        <translation>此操作不会启动任何程序（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Nothing matches “{words}”. The words are looked for as they stand: try a single one.</source>
        <translation>没有与“{words}”匹配的内容。搜索按原样匹配整段文字：请试试只用一个词。</translation>
    </message>
    <message>
        <source>Only opened if its SHA-256 is right. It is added by a second click.</source>
        <translation>校验 SHA-256 通过后才会打开；再次点击才会添加。</translation>
    </message>
    <message>
        <source>Search for a word of a name or description. {host} is asked only then. Anyone may publish there: read what a server runs before you add it.</source>
        <translation>按名称或描述搜索，仅在搜索时访问 {host}。任何人都可在此发布，添加前请看清服务器会运行什么。</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Servers of the MCP registry</source>
        <translation>MCP 注册中心中的服务器</translation>
    </message>
    <message>
        <source>Taken by this click alone. A server that is on is restarted with it.</source>
        <translation>只有点击后才会更新。已启用的服务器会用新版本重启。</translation>
    </message>
    <message>
        <source>Update to {version}</source>
        <translation>更新到 {version}</translation>
    </message>
    <message>
        <source>{count} entries could not be read.</source>
        <translation>有 {count} 个条目无法读取。</translation>
    </message>
</context>
<context>
    <name>CatalogueFeature</name>
    <message>
        <source>Catalogue…</source>
        <translation>MCP 市场…</translation>
    </message>
    <message>
        <source>Copy its command, its address or the JSON from its README, and press Ctrl+V here. Or find it in the registry of MCP servers.</source>
        <translation>复制其命令、地址或 README 中的 JSON，然后在此按 Ctrl+V；也可以在 MCP 注册中心查找。</translation>
    </message>
    <message>
        <source>Find a server in the MCP registry, or updates (Ctrl+Shift+N)</source>
        <translation>在 MCP 注册中心中查找服务器或更新（Ctrl+Shift+N）</translation>
    </message>
    <message>
        <source>Find a server in the catalogue…</source>
        <translation>在 MCP 市场中查找服务器…</translation>
    </message>
    <message>
        <source>Find in the catalogue…</source>
        <translation>在市场中查找…</translation>
    </message>
    <message>
        <source>“{name}” is at version {version} now.</source>
        <translation>“{name}”现在是版本 {version}。</translation>
    </message>
    <message>
        <source>“{name}” was added, switched off. Switch it on to start it.</source>
        <translation>已添加“{name}”，尚未启用。启用后即会启动。</translation>
    </message>
</context>
<context>
    <name>CatalogueSection</name>
    <message>
        <source>Asked when you search the catalogue. https, or http on this computer.</source>
        <translation>仅在搜索时访问。须为 https；本机地址可用 http。</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>MCP 市场</translation>
    </message>
    <message>
        <source>Download mirror</source>
        <translation>下载镜像</translation>
    </message>
    <message>
        <source>MCP registry</source>
        <translation>MCP 注册中心（Registry）</translation>
    </message>
    <message>
        <source>Stands before the address of a bundle&apos;s file when it is downloaded. The hash of its entry is checked all the same.</source>
        <translation>下载 MCP 包时加在其文件地址之前。条目中的哈希仍会校验。</translation>
    </message>
</context>
<context>
    <name>CatalogueWords</name>
    <message>
        <source>At an address ({kind})</source>
        <translation>通过地址（{kind}）</translation>
    </message>
    <message>
        <source>Its publisher no longer maintains it.</source>
        <translation>发布者已不再维护它。</translation>
    </message>
    <message>
        <source>On this computer, from {registry}: {package}</source>
        <translation>在本机上，来自 {registry}：{package}</translation>
    </message>
    <message>
        <source>Published by {publisher}, version {version}</source>
        <translation>发布者 {publisher}，版本 {version}</translation>
    </message>
    <message>
        <source>The registry has removed it.</source>
        <translation>注册中心已将它移除。</translation>
    </message>
    <message>
        <source>address: {address}</source>
        <translation>地址：{address}</translation>
    </message>
    <message>
        <source>host: {host}</source>
        <translation>主机：{host}</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>远程</translation>
    </message>
    <message>
        <source>size: known when it begins, at most {limit} MB</source>
        <translation>大小：开始下载后可知，最多 {limit} MB</translation>
    </message>
    <message>
        <source>{done} MB</source>
        <translation>{done} MB</translation>
    </message>
    <message>
        <source>{done} of {total} MB</source>
        <translation>{done} / {total} MB</translation>
    </message>
    <message>
        <source>“{server}” ({version}):</source>
        <translation>“{server}”（{version}）：</translation>
    </message>
    <message>
        <source>“{server}” is at {before}; {after} is available.</source>
        <translation>“{server}”的版本是 {before}；可以更新到 {after}。</translation>
    </message>
</context>
<context>
    <name>ChangeDialog</name>
    <message>
        <source>Others can read this file. It gets the token: it becomes yours alone.</source>
        <translation>其他用户也能读取这个文件。写入 token 后，只有当前用户能读取。</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>The file is that way already.</source>
        <translation>文件内容已是最新，无需更改。</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
</context>
<context>
    <name>ChangeNote</name>
    <message>
        <source>{server} changed its list at {time}: {new} new, {gone} gone</source>
        <translation>{server} 于 {time} 更改了列表：新增 {new} 项，移除 {gone} 项</translation>
    </message>
    <message>
        <source>{server} servers changed their lists at {time}: {new} new, {gone} gone</source>
        <translation>{server} 个服务器于 {time} 更改了列表：新增 {new} 项，移除 {gone} 项</translation>
    </message>
</context>
<context>
    <name>ChatBadge</name>
    <message>
        <source>Calls that need approval: {count}</source>
        <translation>需要批准的调用：{count}</translation>
    </message>
    <message>
        <source>Running conversations: {count}</source>
        <translation>进行中的对话：{count}</translation>
    </message>
</context>
<context>
    <name>ChatFeature</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Count the tokens</source>
        <translation>统计 token 数</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Servers used only in this conversation come on top of that.</source>
        <translation>本对话专用的服务器另计。</translation>
    </message>
    <message>
        <source>Tools: {count}</source>
        <translation>工具：{count}</translation>
    </message>
    <message>
        <source>about {tokens} tokens</source>
        <translation>约 {tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete “{title}”?</source>
        <translation>删除“{title}”？</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Its messages and results are removed from this computer.</source>
        <translation>其消息和结果将从本机删除。</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation>新对话（Ctrl+N）</translation>
    </message>
    <message>
        <source>No conversation has this in its title, questions, answers or results.</source>
        <translation>没有对话的标题、提问、回答或结果中包含这些文字。</translation>
    </message>
    <message>
        <source>No conversations yet. They appear here after the first question.</source>
        <translation>还没有对话。从第一个问题起，对话会保存在这里。</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Show its file</source>
        <translation>显示其文件</translation>
    </message>
    <message>
        <source>Stop its servers</source>
        <translation>停止它的服务器</translation>
    </message>
    <message>
        <source>The search took too long: older conversations were not searched.</source>
        <translation>搜索耗时过长：较早的对话未搜索。</translation>
    </message>
    <message>
        <source>this</source>
        <translation>此对话</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>Damaged or unreadable</source>
        <translation>已损坏或无法读取</translation>
    </message>
    <message>
        <source>Needs approval</source>
        <translation>需要批准</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>进行中…</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Delete a conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>End a conversation</source>
        <translation>结束对话</translation>
    </message>
    <message>
        <source>List the conversations</source>
        <translation>列出对话</translation>
    </message>
    <message>
        <source>Look for keys</source>
        <translation>查找密钥</translation>
    </message>
    <message>
        <source>Open a conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Rename a conversation</source>
        <translation>重命名对话</translation>
    </message>
</context>
<context>
    <name>ChatSearch</name>
    <message>
        <source>Search conversations</source>
        <translation>搜索对话</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>1 call needs your approval.</source>
        <translation>1 个调用需要您批准。</translation>
    </message>
    <message>
        <source>A conversation needs a model from OpenAI, Anthropic, Gemini or any OpenAI-compatible server.</source>
        <translation>对话需要一个模型，来自 OpenAI、Anthropic、Gemini 或任何 OpenAI 兼容接口。</translation>
    </message>
    <message>
        <source>A new conversation</source>
        <translation>新的对话</translation>
    </message>
    <message>
        <source>Add a model provider first, using the button above.</source>
        <translation>请先用上方按钮添加模型提供商。</translation>
    </message>
    <message>
        <source>Add a model provider…</source>
        <translation>添加模型提供商…</translation>
    </message>
    <message>
        <source>Allow all {count}</source>
        <translation>全部允许（{count}）</translation>
    </message>
    <message>
        <source>Ask something below. The model can use the tools of your servers; you approve each call.</source>
        <translation>在下方提问。模型可以使用已添加服务器的工具；每次调用都须经您批准。</translation>
    </message>
    <message>
        <source>Asked next: {question}</source>
        <translation>接着提问：{question}</translation>
    </message>
    <message>
        <source>Choose a model above.</source>
        <translation>请在上方选择模型。</translation>
    </message>
    <message>
        <source>Choose a provider above.</source>
        <translation>请在上方选择提供商。</translation>
    </message>
    <message>
        <source>Choose tools…</source>
        <translation>选择工具…</translation>
    </message>
    <message>
        <source>Go on in a new one with a summary</source>
        <translation>带着摘要在新对话中继续</translation>
    </message>
    <message>
        <source>No model provider yet</source>
        <translation>还没有模型提供商</translation>
    </message>
    <message>
        <source>Not asked yet: {question}</source>
        <translation>尚未提问：{question}</translation>
    </message>
    <message>
        <source>Reading the conversation…</source>
        <translation>正在读取对话…</translation>
    </message>
    <message>
        <source>Review (Ctrl+G)</source>
        <translation>查看（Ctrl+G）</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>The tools take about {tokens} tokens; this model reads {window}.</source>
        <translation>工具约占 {tokens} 个 token；此模型最多读取 {window} 个。</translation>
    </message>
    <message>
        <source>This conversation cannot be opened.</source>
        <translation>无法打开此对话。</translation>
    </message>
    <message>
        <source>This conversation nearly fills the window of the model.</source>
        <translation>这个对话快要填满模型的上下文窗口了。</translation>
    </message>
    <message>
        <source>Use the new tools</source>
        <translation>使用新工具</translation>
    </message>
    <message>
        <source>Waiting for servers to start: {names}</source>
        <translation>正在等待服务器启动：{names}</translation>
    </message>
    <message>
        <source>Waiting for the model: {seconds} s</source>
        <translation>正在等待模型：{seconds} 秒</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等待您批准</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>进行中…</translation>
    </message>
    <message>
        <source>Writing a summary…</source>
        <translation>正在写摘要…</translation>
    </message>
    <message>
        <source>{count} calls need your approval.</source>
        <translation>{count} 个调用需要您批准。</translation>
    </message>
    <message>
        <source>{count} tools are offered, but the provider takes {most} at most.</source>
        <translation>当前提供 {count} 个工具，但提供商最多接受 {most} 个。</translation>
    </message>
    <message>
        <source>{count} tools are offered; many servers with this API take {most}.</source>
        <translation>当前提供 {count} 个工具；许多使用此 API 的服务器最多接受 {most} 个。</translation>
    </message>
    <message>
        <source>“{provider}” has no API key yet. Enter it in Settings.</source>
        <translation>“{provider}”还没有 API 密钥。请在设置中输入。</translation>
    </message>
</context>
<context>
    <name>ChatWords</name>
    <message>
        <source>A built-in server stopped: {reason}</source>
        <translation>内置服务器已停止：{reason}</translation>
    </message>
    <message>
        <source>A limit was reached.</source>
        <translation>已达到上限。</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Check your network and the provider&apos;s address in Settings.</source>
        <translation>请检查网络以及设置中提供商的地址。</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Enter a valid key in Settings, under Model providers.</source>
        <translation>请在设置的“模型提供商”中输入有效密钥。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>It is restarting.</source>
        <translation>正在重启。</translation>
    </message>
    <message>
        <source>Needs approval</source>
        <translation>需要批准</translation>
    </message>
    <message>
        <source>No answer received.</source>
        <translation>没有收到回答。</translation>
    </message>
    <message>
        <source>Nothing was sent. Approve the address in Servers, or save it in Settings.</source>
        <translation>未发送任何内容。请在“服务器”中批准该地址，或在“设置”中保存它。</translation>
    </message>
    <message>
        <source>Offer the model fewer tools.</source>
        <translation>请减少提供给模型的工具。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Send it again, or choose a faster model.</source>
        <translation>请重新发送，或选择更快的模型。</translation>
    </message>
    <message>
        <source>Send “go on” to continue.</source>
        <translation>发送“继续”即可继续。</translation>
    </message>
    <message>
        <source>Start a new conversation, or offer the model fewer tools.</source>
        <translation>请开始新对话，或减少提供给模型的工具。</translation>
    </message>
    <message>
        <source>Start a new conversation.</source>
        <translation>请新建对话。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>The answer was cut off at the length limit.</source>
        <translation>回答达到长度上限而被截断。</translation>
    </message>
    <message>
        <source>The model declined to answer.</source>
        <translation>模型拒绝回答。</translation>
    </message>
    <message>
        <source>The provider is not ready to answer.</source>
        <translation>提供商暂时无法回答。</translation>
    </message>
    <message>
        <source>The provider&apos;s content filter blocked the answer.</source>
        <translation>提供商的内容过滤器拦截了回答。</translation>
    </message>
    <message>
        <source>Try again later, or choose another model.</source>
        <translation>请稍后重新发送，或选择其他模型。</translation>
    </message>
    <message>
        <source>Wait a moment and send it again, or check your credit.</source>
        <translation>请稍后重新发送，或检查您的余额。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>about {amount} {currency}</source>
        <translation>约 {amount} {currency}</translation>
    </message>
    <message>
        <source>corrected by you</source>
        <translation>已由您更正</translation>
    </message>
    <message>
        <source>the model sees its beginning</source>
        <translation>模型只看到开头</translation>
    </message>
    <message>
        <source>the same call before: {count}</source>
        <translation>此前相同的调用：{count}</translation>
    </message>
    <message>
        <source>{cached} of them cached</source>
        <translation>其中 {cached} 个来自缓存</translation>
    </message>
    <message>
        <source>{input} tokens in, {output} out</source>
        <translation>输入 {input} 个 token，输出 {output} 个</translation>
    </message>
    <message>
        <source>{reason} Next attempt ({attempt}) in {seconds} s.</source>
        <translation>{reason} {seconds} 秒后进行第 {attempt} 次重试。</translation>
    </message>
    <message>
        <source>{reason} Trying again ({attempt})…</source>
        <translation>{reason} 正在重试（第 {attempt} 次）…</translation>
    </message>
</context>
<context>
    <name>CheckListField</name>
    <message>
        <source>At most 1 item.</source>
        <translation>最多 1 项。</translation>
    </message>
    <message>
        <source>At most {count} items.</source>
        <translation>最多 {count} 项。</translation>
    </message>
</context>
<context>
    <name>ClientRow</name>
    <message>
        <source>Cannot be changed</source>
        <translation>无法更改</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connected by address</source>
        <translation>已通过地址连接</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation>断开…</translation>
    </message>
    <message>
        <source>Has another entry of this name</source>
        <translation>已有另一个同名条目</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Restore backup…</source>
        <translation>恢复备份…</translation>
    </message>
    <message>
        <source>Sees 1 server</source>
        <translation>可见 1 个服务器</translation>
    </message>
    <message>
        <source>Sees all servers</source>
        <translation>可见全部服务器</translation>
    </message>
    <message>
        <source>Sees {count} servers</source>
        <translation>可见 {count} 个服务器</translation>
    </message>
    <message>
        <source>Servers that {app} sees</source>
        <translation>{app} 可见的服务器</translation>
    </message>
</context>
<context>
    <name>ClientWords</name>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Cut short</source>
        <translation>被截断</translation>
    </message>
    <message>
        <source>How it comes through in other clients</source>
        <translation>在其他客户端中的样子</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>看不到</translation>
    </message>
    <message>
        <source>Refused there</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>改名</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可用</translation>
    </message>
</context>
<context>
    <name>ClientsSection</name>
    <message>
        <source>An app that you connect gets one entry, with all servers that are on here. Its other entries stay, and its file is kept beside it as it was.</source>
        <translation>连接后会在该应用的配置中写入一个条目，包含此处已启用的全部服务器；其他条目不变，原文件备份在旁边。</translation>
    </message>
    <message>
        <source>Backup of the file: {path}</source>
        <translation>原文件备份于：{path}</translation>
    </message>
    <message>
        <source>Connect {app}</source>
        <translation>连接 {app}</translation>
    </message>
    <message>
        <source>Disconnect {app}</source>
        <translation>断开 {app}</translation>
    </message>
    <message>
        <source>Looking for other apps</source>
        <translation>正在查找其他应用</translation>
    </message>
    <message>
        <source>Not found here: {apps}</source>
        <translation>此处未找到：{apps}</translation>
    </message>
    <message>
        <source>Restore the file of {app}</source>
        <translation>恢复 {app} 的文件</translation>
    </message>
    <message>
        <source>Writing the file</source>
        <translation>正在写入文件</translation>
    </message>
    <message>
        <source>Written. Restart {app}, or reload its servers.</source>
        <translation>已写入。请重启 {app}，或重新加载其服务器。</translation>
    </message>
    <message>
        <source>Your servers in other apps</source>
        <translation>在其他应用中使用这些服务器</translation>
    </message>
</context>
<context>
    <name>ClientsView</name>
    <message>
        <source>By what is declared, and earlier results of the tool: {count}.</source>
        <translation>依据声明，以及该工具以前的结果：{count} 个。</translation>
    </message>
    <message>
        <source>By what is declared; results of the tool are looked at once it was run.</source>
        <translation>依据声明；该工具运行过之后，也会看它的结果。</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Nobody says what becomes of names and results there.</source>
        <translation>没有资料说明名称和结果在那里会怎样。</translation>
    </message>
    <message>
        <source>Note: {note}</source>
        <translation>备注：{note}</translation>
    </message>
    <message>
        <source>Nothing is known that would not reach its model.</source>
        <translation>没有已知的内容到不了它的模型。</translation>
    </message>
    <message>
        <source>Older than {days} days: it may be otherwise by now.</source>
        <translation>已超过 {days} 天：现在可能不同了。</translation>
    </message>
    <message>
        <source>Read in somebody else&apos;s table, not at the source.</source>
        <translation>引自他人的表格，并非直接来自来源。</translation>
    </message>
    <message>
        <source>Source, {date}: {source}</source>
        <translation>来源，{date}：{source}</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What is said of the client</source>
        <translation>对该客户端的说明</translation>
    </message>
</context>
<context>
    <name>ClosingView</name>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Closing 1 server…</source>
        <translation>正在关闭 1 个服务器…</translation>
    </message>
    <message>
        <source>Closing {count} servers…</source>
        <translation>正在关闭 {count} 个服务器…</translation>
    </message>
    <message>
        <source>Could not be stopped: {names}</source>
        <translation>无法停止：{names}</translation>
    </message>
    <message>
        <source>End now</source>
        <translation>立即结束</translation>
    </message>
    <message>
        <source>Some processes are still running</source>
        <translation>仍有进程在运行</translation>
    </message>
    <message>
        <source>Still running: {names}</source>
        <translation>仍在运行：{names}</translation>
    </message>
    <message>
        <source>{closed} closed, {forced} forced, {left} left.</source>
        <translation>已关闭 {closed} 个，强制结束 {forced} 个，剩余 {left} 个。</translation>
    </message>
    <message>
        <source>{closed} closed, {forced} forced.</source>
        <translation>已关闭 {closed} 个，强制结束 {forced} 个。</translation>
    </message>
</context>
<context>
    <name>CodePreview</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>1 tool differs</source>
        <translation>1 个工具不同</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Compare servers</source>
        <translation>对比服务器</translation>
    </message>
    <message>
        <source>Compare with what was recorded by --record</source>
        <translation>与用 --record 录制的内容对比</translation>
    </message>
    <message>
        <source>Comparing the tools</source>
        <translation>正在对比工具</translation>
    </message>
    <message>
        <source>Connect a server, or open a recording.</source>
        <translation>请连接一个服务器，或打开一个录制。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>No server was recorded in {file}.</source>
        <translation>{file} 中没有录制任何服务器。</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开录制</translation>
    </message>
    <message>
        <source>Reading the recording</source>
        <translation>正在读取录制</translation>
    </message>
    <message>
        <source>Recording…</source>
        <translation>录制文件…</translation>
    </message>
    <message>
        <source>Results of saved calls</source>
        <translation>已保存调用的结果</translation>
    </message>
    <message>
        <source>The tools are the same.</source>
        <translation>工具相同。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>breaking</source>
        <translation>不兼容</translation>
    </message>
    <message>
        <source>breaks callers</source>
        <translation>破坏兼容性</translation>
    </message>
    <message>
        <source>compatible</source>
        <translation>兼容</translation>
    </message>
    <message>
        <source>{count} more lines</source>
        <translation>另有 {count} 行</translation>
    </message>
    <message>
        <source>{count} tools differ</source>
        <translation>{count} 个工具不同</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Arguments and results differ.</source>
        <translation>参数和结果都不同。</translation>
    </message>
    <message>
        <source>Both calls had the same arguments and the same result.</source>
        <translation>两次调用的参数和结果都相同。</translation>
    </message>
    <message>
        <source>Only the first {count} lines of each side are compared.</source>
        <translation>每一侧只对比前 {count} 行。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Structured content</source>
        <translation>结构化内容</translation>
    </message>
    <message>
        <source>The arguments are the same; the results differ.</source>
        <translation>参数相同，结果不同。</translation>
    </message>
    <message>
        <source>The results are the same; the arguments differ.</source>
        <translation>结果相同，参数不同。</translation>
    </message>
    <message>
        <source>− {before}   + {after}</source>
        <translation>− {before}   + {after}</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Ask the model…</source>
        <translation>向模型提问…</translation>
    </message>
    <message>
        <source>Attach a file</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Attach files (or drop or paste them)</source>
        <translation>添加文件（也可拖放或粘贴）</translation>
    </message>
    <message>
        <source>Enter asks this next</source>
        <translation>Enter 接着提问</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>Enter 发送</translation>
    </message>
    <message>
        <source>Esc stops</source>
        <translation>Esc 停止</translation>
    </message>
    <message>
        <source>Image {number}</source>
        <translation>图片 {number}</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.jpeg *.gif *.webp)</source>
        <translation>图片 (*.png *.jpg *.jpeg *.gif *.webp)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Shift+Enter: new line</source>
        <translation>Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Too long: {count} characters at most. Split your message.</source>
        <translation>太长：最多 {count} 个字符。请分几次提问。</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>{count} images at most.</source>
        <translation>最多 {count} 张图片。</translation>
    </message>
    <message>
        <source>{count} text files at most.</source>
        <translation>最多 {count} 个文本文件。</translation>
    </message>
</context>
<context>
    <name>ConfigErrorsView</name>
    <message>
        <source>Configuration</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Line {line}, column {column}</source>
        <translation>第 {line} 行第 {column} 列</translation>
    </message>
    <message>
        <source>Line {line}: {text}</source>
        <translation>第 {line} 行：{text}</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>The configuration cannot be read</source>
        <translation>无法读取配置文件</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>“{name}”</translation>
    </message>
    <message>
        <source>“{name}” cannot be used</source>
        <translation>“{name}”无法使用</translation>
    </message>
</context>
<context>
    <name>ConfigExportDialog</name>
    <message>
        <source> and {count} more</source>
        <translation> 等（另有 {count} 个）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Export servers</source>
        <translation>导出服务器</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>No secrets were found in these servers.</source>
        <translation>未在这些服务器中发现敏感信息。</translation>
    </message>
    <message>
        <source>Replaced by variables: {names}</source>
        <translation>已替换为变量：{names}</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save servers as</source>
        <translation>服务器另存为</translation>
    </message>
    <message>
        <source>The servers as JSON</source>
        <translation>JSON 形式的服务器</translation>
    </message>
    <message>
        <source>This text contains secrets. Do not share it.</source>
        <translation>此文本含有密钥等敏感信息，请勿分享。</translation>
    </message>
    <message>
        <source>With secrets</source>
        <translation>包含敏感信息</translation>
    </message>
    <message>
        <source>You have no servers to export.</source>
        <translation>没有可导出的服务器。</translation>
    </message>
</context>
<context>
    <name>ConfigWatch</name>
    <message>
        <source>1 entry of the config waits for your approval; it was not started.</source>
        <translation>配置中有 1 个条目等待您批准，尚未启动。</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>审核…</translation>
    </message>
    <message>
        <source>{count} entries of the config wait for your approval; they were not started.</source>
        <translation>配置中有 {count} 个条目等待您批准，尚未启动。</translation>
    </message>
</context>
<context>
    <name>ContentCard</name>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Full text</source>
        <translation>全文</translation>
    </message>
    <message>
        <source>Link to a resource</source>
        <translation>资源链接</translation>
    </message>
    <message>
        <source>Picture as text</source>
        <translation>以文本显示的图片</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
</context>
<context>
    <name>ContextLine</name>
    <message>
        <source>Goes to the model with your message: MCP App of {tool} ({server})</source>
        <translation>随您的消息发给模型：{tool} 的 MCP 应用（{server}）</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context: {words}</source>
        <translation>上下文：{words}</translation>
    </message>
    <message>
        <source>It is nearly full: go on in a new conversation, or offer fewer tools.</source>
        <translation>快满了：在新对话中继续，或提供更少的工具。</translation>
    </message>
    <message>
        <source>What the next request takes of the model&apos;s context window.</source>
        <translation>下一次请求将占用的模型上下文窗口。</translation>
    </message>
    <message>
        <source>about {tokens}</source>
        <translation>约 {tokens}</translation>
    </message>
    <message>
        <source>{used} of {window} tokens</source>
        <translation>{used} / {window} 个 token</translation>
    </message>
    <message>
        <source>{used} tokens</source>
        <translation>{used} 个 token</translation>
    </message>
</context>
<context>
    <name>CopyCodeButton</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>复制这段代码</translation>
    </message>
</context>
<context>
    <name>CrashOffer</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>The app crashed earlier. {count} reports are available.</source>
        <translation>应用之前崩溃过，有 {count} 份报告。</translation>
    </message>
    <message>
        <source>The app crashed last time. A report is available.</source>
        <translation>应用上次崩溃了，有一份报告。</translation>
    </message>
</context>
<context>
    <name>DamagedFiles</name>
    <message>
        <source>Damaged files that the log of the app lists: {count} more.</source>
        <translation>另有 {count} 个损坏的文件，见应用日志。</translation>
    </message>
</context>
<context>
    <name>DateTimeField</name>
    <message>
        <source>Insert the current time</source>
        <translation>填入当前时间</translation>
    </message>
    <message>
        <source>Insert today</source>
        <translation>填入今天</translation>
    </message>
    <message>
        <source>Pick a date</source>
        <translation>选择日期</translation>
    </message>
</context>
<context>
    <name>DeclarationView</name>
    <message>
        <source>Copy the name the model uses</source>
        <translation>复制模型使用的名称</translation>
    </message>
    <message>
        <source>Differences from the server&apos;s schema</source>
        <translation>与服务器的 Schema 不同之处</translation>
    </message>
    <message>
        <source>Different from the server&apos;s schema: {count}</source>
        <translation>与服务器的 Schema 不同之处：{count}</translation>
    </message>
    <message>
        <source>Estimated from its length; providers count differently.</source>
        <translation>按长度估算；各提供商的计数方式不同。</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>已修复</translation>
    </message>
    <message>
        <source>The provider would reject or misread the schema as the server declared it.</source>
        <translation>提供商会拒绝或误读服务器声明的 Schema。</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>模型看到的内容</translation>
    </message>
    <message>
        <source>about {count} tokens</source>
        <translation>约 {count} 个 token</translation>
    </message>
</context>
<context>
    <name>DownloadProgress</name>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>Stop the download</source>
        <translation>停止下载</translation>
    </message>
</context>
<context>
    <name>EffortChoice</name>
    <message>
        <source>Effort</source>
        <translation>思考强度</translation>
    </message>
    <message>
        <source>Effort: high</source>
        <translation>思考强度：高</translation>
    </message>
    <message>
        <source>Effort: low</source>
        <translation>思考强度：低</translation>
    </message>
    <message>
        <source>Effort: maximal</source>
        <translation>思考强度：最高</translation>
    </message>
    <message>
        <source>Effort: medium</source>
        <translation>思考强度：中</translation>
    </message>
    <message>
        <source>Effort: minimal</source>
        <translation>思考强度：最低</translation>
    </message>
    <message>
        <source>How much the model thinks before it answers</source>
        <translation>模型回答之前思考多少</translation>
    </message>
    <message>
        <source>Usual effort</source>
        <translation>通常的思考强度</translation>
    </message>
    <message>
        <source>Usual effort ({effort})</source>
        <translation>通常（{effort}）</translation>
    </message>
</context>
<context>
    <name>EndDialog</name>
    <message>
        <source>End process</source>
        <translation>结束进程</translation>
    </message>
</context>
<context>
    <name>EntryView</name>
    <message>
        <source>A registry checks who owns “{publisher}”, not what the server does. Without a sandbox it runs with all your permissions.</source>
        <translation>注册中心只核对“{publisher}”归谁所有，不核实服务器会做什么。不使用沙盒时，它将拥有您的全部权限。</translation>
    </message>
    <message>
        <source>How to use it</source>
        <translation>使用方式</translation>
    </message>
    <message>
        <source>It names neither a package nor an address.</source>
        <translation>它既没有软件包，也没有地址。</translation>
    </message>
    <message>
        <source>It newly requires {name}.</source>
        <translation>新增必填项 {name}。</translation>
    </message>
    <message>
        <source>It would download</source>
        <translation>将会下载</translation>
    </message>
    <message>
        <source>It would reach</source>
        <translation>将会连接</translation>
    </message>
    <message>
        <source>It would run</source>
        <translation>将会运行</translation>
    </message>
    <message>
        <source>Name here</source>
        <translation>本地名称</translation>
    </message>
    <message>
        <source>Not installable here. {reason}</source>
        <translation>无法在这里安装。{reason}</translation>
    </message>
    <message>
        <source>What it asks for</source>
        <translation>需要填写的内容</translation>
    </message>
    <message>
        <source>What this server runs or connects to</source>
        <translation>此服务器运行或连接的内容</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{place}: now {before}, then {after}</source>
        <translation>{place}：现在是 {before}，之后是 {after}</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Details of the error</source>
        <translation>错误详情</translation>
    </message>
</context>
<context>
    <name>ErrorCode</name>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Internal error</source>
        <translation>内部错误</translation>
    </message>
    <message>
        <source>Invalid arguments</source>
        <translation>参数无效</translation>
    </message>
    <message>
        <source>No such tool</source>
        <translation>没有此工具</translation>
    </message>
    <message>
        <source>Not approved</source>
        <translation>未获批准</translation>
    </message>
    <message>
        <source>Protocol error</source>
        <translation>协议错误</translation>
    </message>
    <message>
        <source>Server unreachable</source>
        <translation>无法连接服务器</translation>
    </message>
    <message>
        <source>The tool failed</source>
        <translation>工具执行失败</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>超时</translation>
    </message>
</context>
<context>
    <name>ErrorView</name>
    <message>
        <source>Sign in below, or add a token to its headers.</source>
        <translation>请在下方登录，或在其请求头中填入 token。</translation>
    </message>
</context>
<context>
    <name>EvalsFeature</name>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
</context>
<context>
    <name>EvalsView</name>
    <message>
        <source>A case asks a model something and expects calls of your tools. Make one of a chat with “Save as case…”, or write it into the folder of saved calls.</source>
        <translation>用例向模型提一个问题，并预期它调用您的工具。可在对话中用“保存为用例…”创建，或写入已保存调用的文件夹。</translation>
    </message>
    <message>
        <source>Cases by models and clients</source>
        <translation>按模型和客户端列出的用例</translation>
    </message>
    <message>
        <source>Cost so far: {cost}</source>
        <translation>目前费用：{cost}</translation>
    </message>
    <message>
        <source>No cases yet</source>
        <translation>还没有用例</translation>
    </message>
    <message>
        <source>Reading cases</source>
        <translation>读取用例</translation>
    </message>
    <message>
        <source>Run cases</source>
        <translation>运行用例</translation>
    </message>
    <message>
        <source>Running cases</source>
        <translation>运行用例</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>fell by {points} points</source>
        <translation>下降 {points} 个百分点</translation>
    </message>
    <message>
        <source>not clearly different</source>
        <translation>无明显差别</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测得</translation>
    </message>
    <message>
        <source>one question a run</source>
        <translation>每次运行提 1 个问题</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>rose by {points} points</source>
        <translation>上升 {points} 个百分点</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>未定</translation>
    </message>
    <message>
        <source>{count} questions a run</source>
        <translation>每次运行提 {count} 个问题</translation>
    </message>
    <message>
        <source>{passed} of {runs}</source>
        <translation>{passed} / {runs}</translation>
    </message>
</context>
<context>
    <name>ExitedView</name>
    <message>
        <source>Recently ended</source>
        <translation>最近结束</translation>
    </message>
</context>
<context>
    <name>ExpandableText</name>
    <message>
        <source>Description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
</context>
<context>
    <name>ExpectationRow</name>
    <message>
        <source>3, &quot;text&quot; or ${{ NAME.path }}</source>
        <translation>3、&quot;text&quot; 或 ${{ NAME.path }}</translation>
    </message>
    <message>
        <source>Code of the error</source>
        <translation>错误代码</translation>
    </message>
    <message>
        <source>JSON Schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>Path of the value</source>
        <translation>值的路径</translation>
    </message>
    <message>
        <source>Paths to ignore</source>
        <translation>忽略的路径</translation>
    </message>
    <message>
        <source>Remove this expectation</source>
        <translation>移除此断言</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What is looked at</source>
        <translation>检查的内容</translation>
    </message>
    <message>
        <source>any error</source>
        <translation>任意错误</translation>
    </message>
    <message>
        <source>paths to ignore, such as items[*].id, createdAt</source>
        <translation>忽略的路径，例如 items[*].id, createdAt</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>text of the result</source>
        <translation>结果中的文本</translation>
    </message>
</context>
<context>
    <name>Expectations</name>
    <message>
        <source>Is as in the snapshot</source>
        <translation>与快照一致</translation>
    </message>
    <message>
        <source>Is faster than</source>
        <translation>耗时少于</translation>
    </message>
    <message>
        <source>Matches a schema</source>
        <translation>符合 Schema</translation>
    </message>
    <message>
        <source>Reports an error</source>
        <translation>报告错误</translation>
    </message>
    <message>
        <source>Succeeds</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Text contains</source>
        <translation>文本包含</translation>
    </message>
    <message>
        <source>Value equals</source>
        <translation>值等于</translation>
    </message>
</context>
<context>
    <name>ExpectationsForm</name>
    <message>
        <source>Add expectation</source>
        <translation>添加断言</translation>
    </message>
    <message>
        <source>Edit as JSON</source>
        <translation>以 JSON 编辑</translation>
    </message>
    <message>
        <source>Edit as form</source>
        <translation>以表单编辑</translation>
    </message>
    <message>
        <source>Expectations</source>
        <translation>断言</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>JSON 行 (*.jsonl)</translation>
    </message>
</context>
<context>
    <name>FeedColumn</name>
    <message>
        <source>1 more is not shown</source>
        <translation>另有 1 项未显示</translation>
    </message>
    <message>
        <source>All as text</source>
        <translation>全部文本</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text {number}</source>
        <translation>文本 {number}</translation>
    </message>
    <message>
        <source>{count} more are not shown</source>
        <translation>另有 {count} 项未显示</translation>
    </message>
</context>
<context>
    <name>FieldHead</name>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
</context>
<context>
    <name>FieldMenu</name>
    <message>
        <source>Do not send</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>Send an empty list</source>
        <translation>发送空列表</translation>
    </message>
    <message>
        <source>Send an empty object</source>
        <translation>发送空对象</translation>
    </message>
    <message>
        <source>Send empty text &quot;&quot;</source>
        <translation>发送空文本 &quot;&quot;</translation>
    </message>
    <message>
        <source>Send null</source>
        <translation>发送 null</translation>
    </message>
    <message>
        <source>Send null (not allowed)</source>
        <translation>发送 null（Schema 不允许）</translation>
    </message>
    <message>
        <source>Use default: {value}</source>
        <translation>使用默认值：{value}</translation>
    </message>
    <message>
        <source>empty text &quot;&quot;</source>
        <translation>空文本 &quot;&quot;</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>More options for {name}</source>
        <translation>{name} 的其他发送方式</translation>
    </message>
    <message>
        <source>default: {value}</source>
        <translation>默认值：{value}</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
</context>
<context>
    <name>FieldWording</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>&quot;text&quot;, 12, true, [ ] or { }</source>
        <translation>&quot;文本&quot;、12、true、[ ] 或 { }</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>JSON: {types}</source>
        <translation>JSON：{types}</translation>
    </message>
    <message>
        <source>The schema allows no value here.</source>
        <translation>Schema 不允许此处有任何值。</translation>
    </message>
    <message>
        <source>The schema contradicts itself: enter it as JSON.</source>
        <translation>Schema 自相矛盾：请以 JSON 输入。</translation>
    </message>
    <message>
        <source>The schema refers to a missing definition: enter it as JSON.</source>
        <translation>Schema 引用了不存在的定义：请以 JSON 输入。</translation>
    </message>
    <message>
        <source>Too large for a form: enter it as JSON.</source>
        <translation>内容过大，无法用表单显示：请以 JSON 输入。</translation>
    </message>
    <message>
        <source>at least 1 character</source>
        <translation>至少 1 个字符</translation>
    </message>
    <message>
        <source>at least 1 item</source>
        <translation>至少 1 项</translation>
    </message>
    <message>
        <source>at least {n}</source>
        <translation>不小于 {n}</translation>
    </message>
    <message>
        <source>at least {n} characters</source>
        <translation>至少 {n} 个字符</translation>
    </message>
    <message>
        <source>at least {n} items</source>
        <translation>至少 {n} 项</translation>
    </message>
    <message>
        <source>at most 1 character</source>
        <translation>最多 1 个字符</translation>
    </message>
    <message>
        <source>at most 1 item</source>
        <translation>最多 1 项</translation>
    </message>
    <message>
        <source>at most {n}</source>
        <translation>不大于 {n}</translation>
    </message>
    <message>
        <source>at most {n} characters</source>
        <translation>最多 {n} 个字符</translation>
    </message>
    <message>
        <source>at most {n} items</source>
        <translation>最多 {n} 项</translation>
    </message>
    <message>
        <source>choice</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>default: {value}</source>
        <translation>默认值：{value}</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定值</translation>
    </message>
    <message>
        <source>for example {value}</source>
        <translation>例如 {value}</translation>
    </message>
    <message>
        <source>in steps of {n}</source>
        <translation>步长为 {n}</translation>
    </message>
    <message>
        <source>less than {n}</source>
        <translation>小于 {n}</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>list: {type}</source>
        <translation>列表：{type}</translation>
    </message>
    <message>
        <source>more than {n}</source>
        <translation>大于 {n}</translation>
    </message>
    <message>
        <source>names and values: {type}</source>
        <translation>名称和值：{type}</translation>
    </message>
    <message>
        <source>no duplicates</source>
        <translation>不得重复</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>one of several</source>
        <translation>多种之一</translation>
    </message>
    <message>
        <source>pattern {pattern}</source>
        <translation>匹配 {pattern}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>真或假</translation>
    </message>
    <message>
        <source>tuple</source>
        <translation>元组</translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>{type} or null</source>
        <translation>{type} 或 null</translation>
    </message>
</context>
<context>
    <name>FieldsView</name>
    <message>
        <source>Hide empty optional fields</source>
        <translation>隐藏没有值的可选字段</translation>
    </message>
    <message>
        <source>No matching fields.</source>
        <translation>没有匹配的字段。</translation>
    </message>
    <message>
        <source>Show 1 more optional field</source>
        <translation>再显示 1 个可选字段</translation>
    </message>
    <message>
        <source>Show {count} more optional fields</source>
        <translation>显示另外 {count} 个可选字段</translation>
    </message>
</context>
<context>
    <name>FileChip</name>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
</context>
<context>
    <name>FileField</name>
    <message>
        <source>Choose a file to send</source>
        <translation>选择要发送的文件</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Read {name}</source>
        <translation>读取 {name}</translation>
    </message>
    <message>
        <source>Remove the file</source>
        <translation>移除文件</translation>
    </message>
    <message>
        <source>base64</source>
        <translation>base64</translation>
    </message>
    <message>
        <source>base64, or choose a file</source>
        <translation>base64，或选择文件</translation>
    </message>
    <message>
        <source>{name} · {size}</source>
        <translation>{name} · {size}</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in the result</source>
        <translation>在结果中查找</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配（Enter）</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一个匹配（Shift+Enter）</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 个，共 {count} 个</translation>
    </message>
</context>
<context>
    <name>FoldersField</name>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
</context>
<context>
    <name>FormBar</name>
    <message>
        <source>Ctrl+J switches between form and JSON</source>
        <translation>Ctrl+J 在表单和 JSON 之间切换</translation>
    </message>
    <message>
        <source>Find a field</source>
        <translation>查找字段</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Show the arguments as JSON</source>
        <translation>以 JSON 显示参数</translation>
    </message>
    <message>
        <source>Show the arguments as a form</source>
        <translation>以表单显示参数</translation>
    </message>
    <message>
        <source>{found} of 1 field</source>
        <translation>{found}/1 个字段</translation>
    </message>
    <message>
        <source>{found} of {count} fields</source>
        <translation>{count} 个字段中的 {found} 个</translation>
    </message>
</context>
<context>
    <name>FormLabels</name>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>FormView</name>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Correct it first.</source>
        <translation>请先更正。</translation>
    </message>
    <message>
        <source>Send what is filled in to the server</source>
        <translation>把填写的内容发送给服务器</translation>
    </message>
    <message>
        <source>“{field}” looks like a password or a key. Servers must not ask for one this way. Leave it empty unless you know why it is needed.</source>
        <translation>“{field}”看起来是密码或密钥。服务器不得以这种方式索取。除非您知道为何需要，否则请留空。</translation>
    </message>
</context>
<context>
    <name>FoundList</name>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>Deprecated</source>
        <translation>已弃用</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>待查看</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the registry</source>
        <translation>搜索注册中心</translation>
    </message>
    <message>
        <source>Servers in the registry</source>
        <translation>注册中心中的服务器</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>显示更多</translation>
    </message>
    <message>
        <source>Update to {version}</source>
        <translation>更新到 {version}</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 个服务器</translation>
    </message>
</context>
<context>
    <name>GatewayFeature</name>
    <message>
        <source>Use your servers in other apps…</source>
        <translation>在其他应用中使用这些服务器…</translation>
    </message>
</context>
<context>
    <name>Hints</name>
    <message>
        <source>destructive</source>
        <translation>破坏性</translation>
    </message>
    <message>
        <source>external access</source>
        <translation>会访问外部系统</translation>
    </message>
    <message>
        <source>local only</source>
        <translation>仅限本地</translation>
    </message>
    <message>
        <source>makes changes</source>
        <translation>会修改数据</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>safe to repeat</source>
        <translation>幂等</translation>
    </message>
</context>
<context>
    <name>HistoryList</name>
    <message>
        <source>1 call</source>
        <translation>1 次调用</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Called by</source>
        <translation>调用方</translation>
    </message>
    <message>
        <source>Calls, newest first</source>
        <translation>调用，最新的在前</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>正在读取历史记录</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>{count} calls</source>
        <translation>{count} 次调用</translation>
    </message>
    <message>
        <source>{count} running</source>
        <translation>{count} 个正在运行</translation>
    </message>
</context>
<context>
    <name>HistoryView</name>
    <message>
        <source>1 call waits and is written once that is possible.</source>
        <translation>有 1 次调用在等待，一旦可行便会写入。</translation>
    </message>
    <message>
        <source>Calls and results are deleted permanently. Saved calls are kept.</source>
        <translation>调用和结果将从磁盘上永久删除。已保存调用会保留。</translation>
    </message>
    <message>
        <source>Calls are not recorded: {problem}</source>
        <translation>调用未被记录：{problem}</translation>
    </message>
    <message>
        <source>Calls by you, an agent or the terminal are kept here with their results, ready to review, compare and run again.</source>
        <translation>手动、智能体或终端的调用及其结果都保存在这里，可以查看、对比和重新运行。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete all…</source>
        <translation>全部删除…</translation>
    </message>
    <message>
        <source>Delete calls</source>
        <translation>删除调用</translation>
    </message>
    <message>
        <source>Delete the whole history?</source>
        <translation>删除全部历史记录？</translation>
    </message>
    <message>
        <source>Delete these {count} calls?</source>
        <translation>删除这 {count} 次调用？</translation>
    </message>
    <message>
        <source>Delete this call?</source>
        <translation>删除此调用？</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Deleting calls</source>
        <translation>删除调用</translation>
    </message>
    <message>
        <source>Edit and run again</source>
        <translation>编辑后重新运行</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Go to Tools</source>
        <translation>前往工具</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>还没有调用</translation>
    </message>
    <message>
        <source>No matching calls. Search for part of a name, an argument or a result.</source>
        <translation>没有符合的调用。请搜索名称、参数或结果的一部分。</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>正在读取历史记录</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Save call…</source>
        <translation>保存调用…</translation>
    </message>
    <message>
        <source>Select a call to see it, or two to compare them.</source>
        <translation>选中一条查看，选中两条对比。</translation>
    </message>
    <message>
        <source>{count} calls selected. Select one to see it, or two to compare them.</source>
        <translation>已选中 {count} 条。选中一条查看，选中两条对比。</translation>
    </message>
    <message>
        <source>{count} calls wait and are written once that is possible.</source>
        <translation>有 {count} 次调用在等待，一旦可行便会写入。</translation>
    </message>
</context>
<context>
    <name>HistoryWords</name>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>Internal error</source>
        <translation>内部错误</translation>
    </message>
    <message>
        <source>Kept only in part: {part}, {size}</source>
        <translation>未完整保存：{part}，{size}</translation>
    </message>
    <message>
        <source>Needs approval</source>
        <translation>需要批准</translation>
    </message>
    <message>
        <source>No server</source>
        <translation>无服务器</translation>
    </message>
    <message>
        <source>No such tool</source>
        <translation>没有此工具</translation>
    </message>
    <message>
        <source>Not kept because it looks like a secret: {places}</source>
        <translation>看起来是敏感信息，因此未保存：{places}</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Protocol error</source>
        <translation>协议错误</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>Tool error</source>
        <translation>工具错误</translation>
    </message>
    <message>
        <source>waited {time} for approval</source>
        <translation>等待批准 {time}</translation>
    </message>
</context>
<context>
    <name>ImageAttachment</name>
    <message>
        <source>Image, {facts}</source>
        <translation>图片，{facts}</translation>
    </message>
    <message>
        <source>Remove the image</source>
        <translation>移除图片</translation>
    </message>
</context>
<context>
    <name>ImageCard</name>
    <message>
        <source>Copy image</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Show an image</source>
        <translation>显示图片</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大 (+)</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>缩小 (-)</translation>
    </message>
</context>
<context>
    <name>ImageDecoding</name>
    <message>
        <source>The image data is missing</source>
        <translation>缺少图片数据</translation>
    </message>
    <message>
        <source>The image is damaged</source>
        <translation>图片已损坏</translation>
    </message>
    <message>
        <source>This format cannot be shown: save it to open it in another app</source>
        <translation>无法显示这种格式：请保存后用其他应用打开</translation>
    </message>
    <message>
        <source>Too large to show</source>
        <translation>过大，无法显示</translation>
    </message>
    <message>
        <source>the first of several images</source>
        <translation>多张图片中的第一张</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Add the checked servers (Ctrl+Enter)</source>
        <translation>添加勾选的服务器（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a file with servers</source>
        <translation>选择包含服务器的文件</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Enable after import</source>
        <translation>导入后启用</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import 1 server</source>
        <translation>导入 1 个服务器</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>导入服务器</translation>
    </message>
    <message>
        <source>Import {count} servers</source>
        <translation>导入 {count} 个服务器</translation>
    </message>
    <message>
        <source>Looking for other apps&apos; servers</source>
        <translation>查找其他应用的服务器</translation>
    </message>
    <message>
        <source>Looking for other apps&apos; servers…</source>
        <translation>正在查找其他应用的服务器…</translation>
    </message>
    <message>
        <source>No other app with MCP servers was found. Choose a file with servers in it, or drop one here.</source>
        <translation>未找到其他带有 MCP 服务器的应用。请选择一个含有服务器的文件，或将其拖到此处。</translation>
    </message>
    <message>
        <source>Otherwise they are added disabled and nothing starts</source>
        <translation>否则导入后不启用，也不会启动任何程序</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>Storing secrets</source>
        <translation>正在保存敏感信息</translation>
    </message>
    <message>
        <source>Unpacking the bundle</source>
        <translation>正在解压 MCP 包</translation>
    </message>
    <message>
        <source>Unpacking…</source>
        <translation>正在解压…</translation>
    </message>
</context>
<context>
    <name>ImportFlow</name>
    <message>
        <source>Looking for other apps&apos; servers</source>
        <translation>查找其他应用的服务器</translation>
    </message>
    <message>
        <source>Removing the bundle</source>
        <translation>正在移除 MCP 包</translation>
    </message>
</context>
<context>
    <name>ImportWords</name>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 条警告</translation>
    </message>
    <message>
        <source>Already added</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>Already added as “{name}”</source>
        <translation>已存在，名为“{name}”</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>Differs, added as “{name}”</source>
        <translation>有差异，将以“{name}”添加</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>New, as “{name}”</source>
        <translation>新增，名为“{name}”</translation>
    </message>
    <message>
        <source>Not imported: {subject}</source>
        <translation>未导入：{subject}</translation>
    </message>
    <message>
        <source>Someone else wrote this. Read the whole command, every variable and every address above before you import it.</source>
        <translation>此配置来自他人。导入前请逐项核对上面的命令、变量和地址。</translation>
    </message>
    <message>
        <source>Variables from {subject} are not read. Put them into the server&apos;s environment.</source>
        <translation>不会读取 {subject} 中的变量。请将其填入该服务器的环境变量。</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 个服务器</translation>
    </message>
    <message>
        <source>{count} warnings</source>
        <translation>{count} 条警告</translation>
    </message>
    <message>
        <source>{place} has {subject}, which only the other app understands. Edit it afterwards.</source>
        <translation>{place} 含有只有原应用才理解的 {subject}，请在导入后修改。</translation>
    </message>
    <message>
        <source>{place} imitates another address: it leads to {subject} ({detail}).</source>
        <translation>{place} 模仿另一个地址：它实际指向 {subject}（{detail}）。</translation>
    </message>
    <message>
        <source>{place} is not encrypted: anyone between you and {subject} can read and change it.</source>
        <translation>{place} 没有加密：通往 {subject} 途中的任何人都能读取和篡改。</translation>
    </message>
    <message>
        <source>{place} looks like a secret in plain text and is copied as it is. Safer: write ${{VAR}} there and set VAR in your environment.</source>
        <translation>{place} 看起来是明文的敏感信息，将原样复制。更安全的做法：在该处写 ${{VAR}}，并在环境中设置 VAR。</translation>
    </message>
    <message>
        <source>{place} may run what it downloads: {subject}</source>
        <translation>{place} 可能会运行它下载的内容：{subject}</translation>
    </message>
    <message>
        <source>{place} needs the variable {subject}: it is not set.</source>
        <translation>{place} 需要变量 {subject}，但它尚未设置。</translation>
    </message>
    <message>
        <source>{place} passes your variable {subject} to this program.</source>
        <translation>{place} 会把您的变量 {subject} 交给这个程序。</translation>
    </message>
    <message>
        <source>{place} runs {subject} with inline code: read all of it.</source>
        <translation>{place} 会用 {subject} 运行内联代码：请完整阅读。</translation>
    </message>
    <message>
        <source>{place} sends your file {subject} to {detail}.</source>
        <translation>{place} 会把您的文件 {subject} 发送到 {detail}。</translation>
    </message>
    <message>
        <source>{place} sends your variable {subject} to {detail}.</source>
        <translation>{place} 会把您的变量 {subject} 发送到 {detail}。</translation>
    </message>
    <message>
        <source>{place}: the other app asked for “{detail}”. Fill it in below, or set the variable {subject}.</source>
        <translation>{place}：原应用会询问“{detail}”。请在下方填写，或设置变量 {subject}。</translation>
    </message>
    <message>
        <source>{place}: there is no {subject} on this computer.</source>
        <translation>{place}：本机上没有 {subject}。</translation>
    </message>
    <message>
        <source>{place}: {subject} belongs to {detail}.</source>
        <translation>{place}：{subject} 属于 {detail}。</translation>
    </message>
    <message>
        <source>{place}: {subject} controls where connections go or which are trusted.</source>
        <translation>{place}：{subject} 决定连接到谁，或信任哪些连接。</translation>
    </message>
    <message>
        <source>{place}: {subject} controls where packages come from.</source>
        <translation>{place}：{subject} 决定软件包从哪里获取。</translation>
    </message>
    <message>
        <source>{place}: {subject} controls which code is loaded or which program is found.</source>
        <translation>{place}：{subject} 决定加载哪些代码，或找到哪个程序。</translation>
    </message>
    <message>
        <source>{place}: {subject} gives the container files of this computer.</source>
        <translation>{place}：{subject} 把本机的文件交给容器。</translation>
    </message>
    <message>
        <source>{place}: {subject} gives the container permissions or devices that containers do not have by themselves.</source>
        <translation>{place}：{subject} 给容器它本来没有的权限或设备。</translation>
    </message>
    <message>
        <source>{place}: {subject} is not a registered domain, so its owner is unknown.</source>
        <translation>{place}：{subject} 不是注册的域名，无法确定其所有者。</translation>
    </message>
    <message>
        <source>{place}: {subject} lets the container share the network or processes of this computer, and reach what only this computer can reach.</source>
        <translation>{place}：{subject} 让容器共用本机的网络或进程，并能访问只有本机才能访问的内容。</translation>
    </message>
    <message>
        <source>{place}: {subject} lets the container take over this computer. Nothing keeps it apart any more.</source>
        <translation>{place}：{subject} 让容器可以控制本机，不再有任何隔离。</translation>
    </message>
    <message>
        <source>{place}: {subject} may run other code than the package named here.</source>
        <translation>{place}：{subject} 可能运行此处所示软件包以外的代码。</translation>
    </message>
    <message>
        <source>{servers}, none new</source>
        <translation>{servers}，无新增</translation>
    </message>
    <message>
        <source>{servers}, {new} new</source>
        <translation>{servers}，{new} 个新增</translation>
    </message>
    <message>
        <source>{subject} is sent your conversations, and the key that you keep for it.</source>
        <translation>{subject} 会收到您的对话，以及您为它保存的密钥。</translation>
    </message>
</context>
<context>
    <name>InlineNotice</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>InsertValueButton</name>
    <message>
        <source>Insert value from…</source>
        <translation>引用其他调用的值…</translation>
    </message>
    <message>
        <source>the whole result</source>
        <translation>整个结果</translation>
    </message>
</context>
<context>
    <name>InstallDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy {command}</source>
        <translation>复制 {command}</translation>
    </message>
    <message>
        <source>Follow the steps at {address}. Then restart the server.</source>
        <translation>请按照 {address} 的说明操作，然后重启服务器。</translation>
    </message>
    <message>
        <source>Install {product}</source>
        <translation>安装 {product}</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>打开网页</translation>
    </message>
    <message>
        <source>Run one of these in a terminal, or follow the steps at {address}. Then restart the server.</source>
        <translation>在终端中运行其中一条命令，或按照 {address} 的说明操作，然后重启服务器。</translation>
    </message>
</context>
<context>
    <name>IssueList</name>
    <message>
        <source>Line {line}: {words}</source>
        <translation>第 {line} 行：{words}</translation>
    </message>
    <message>
        <source>Problems with the arguments</source>
        <translation>参数中的问题</translation>
    </message>
    <message>
        <source>Warning: {words}</source>
        <translation>警告：{words}</translation>
    </message>
</context>
<context>
    <name>ItemRow</name>
    <message>
        <source>Item {n}</source>
        <translation>第 {n} 项</translation>
    </message>
    <message>
        <source>Move item {n} down</source>
        <translation>下移第 {n} 项</translation>
    </message>
    <message>
        <source>Move item {n} up</source>
        <translation>上移第 {n} 项</translation>
    </message>
    <message>
        <source>Remove item {n}</source>
        <translation>移除第 {n} 项</translation>
    </message>
</context>
<context>
    <name>JsonEditor</name>
    <message>
        <source>Format</source>
        <translation>格式化</translation>
    </message>
    <message>
        <source>Format the JSON</source>
        <translation>格式化 JSON</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {problem}</source>
        <translation>第 {line} 行第 {column} 列：{problem}</translation>
    </message>
</context>
<context>
    <name>JsonForm</name>
    <message>
        <source>JSON of the server</source>
        <translation>服务器的 JSON</translation>
    </message>
    <message>
        <source>Replaces “ ： ， and the like outside of texts</source>
        <translation>替换字符串之外的 “ ： ， 等全角符号</translation>
    </message>
    <message>
        <source>Use half-width marks</source>
        <translation>替换为半角符号</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 个</translation>
    </message>
</context>
<context>
    <name>JsonTreeModel</name>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>JsonTreeView</name>
    <message>
        <source>Collapse all</source>
        <translation>全部收起</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>复制键</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展开</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Level {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Structured result</source>
        <translation>结构化结果</translation>
    </message>
    <message>
        <source>Too much to expand at once: only the first {count} rows are open.</source>
        <translation>内容太多，无法一次展开：最多展开前 {count} 行。</translation>
    </message>
</context>
<context>
    <name>KeptLine</name>
    <message>
        <source>Export the oldest {count}…</source>
        <translation>导出最旧的 {count} 次…</translation>
    </message>
    <message>
        <source>Keeps {calls} calls or {megabytes} MB, for {days} days.</source>
        <translation>保留 {calls} 次调用或 {megabytes} MB，为期 {days} 天。</translation>
    </message>
    <message>
        <source>Keeps {calls} calls or {megabytes} MB.</source>
        <translation>保留 {calls} 次调用或 {megabytes} MB。</translation>
    </message>
    <message>
        <source>The oldest go next.</source>
        <translation>最旧的即将删除。</translation>
    </message>
    <message>
        <source>The oldest is from {day}.</source>
        <translation>最旧的一次来自 {day}。</translation>
    </message>
</context>
<context>
    <name>KeptRuns</name>
    <message>
        <source>No run yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Reading cases</source>
        <translation>读取用例</translation>
    </message>
    <message>
        <source>The run that is shown</source>
        <translation>显示的运行</translation>
    </message>
    <message>
        <source>The run that it is compared with</source>
        <translation>用来比较的运行</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>比较对象</translation>
    </message>
</context>
<context>
    <name>KeyValueRow</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Remove this line</source>
        <translation>移除此行</translation>
    </message>
    <message>
        <source>Show the value</source>
        <translation>显示值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>LastKnown</name>
    <message>
        <source>As of {time}</source>
        <translation>截至 {time}</translation>
    </message>
</context>
<context>
    <name>LaunchDetailsView</name>
    <message>
        <source>What this server runs or connects to</source>
        <translation>此服务器运行或连接的内容</translation>
    </message>
</context>
<context>
    <name>LaunchDifferenceView</name>
    <message>
        <source>Before: {value}</source>
        <translation>之前：{value}</translation>
    </message>
    <message>
        <source>Now: nothing</source>
        <translation>现在：无</translation>
    </message>
    <message>
        <source>Now: {value}</source>
        <translation>现在：{value}</translation>
    </message>
    <message>
        <source>The change is in a secret, which is hidden here.</source>
        <translation>更改的是敏感信息，此处已隐藏。</translation>
    </message>
    <message>
        <source>What this server runs or connects to</source>
        <translation>此服务器运行或连接的内容</translation>
    </message>
    <message>
        <source>{name} (changed)</source>
        <translation>{name}（已更改）</translation>
    </message>
    <message>
        <source>{name} (new)</source>
        <translation>{name}（新增）</translation>
    </message>
</context>
<context>
    <name>LevelChoice</name>
    <message>
        <source>server default</source>
        <translation>由服务器决定</translation>
    </message>
</context>
<context>
    <name>LimitsDialog</name>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>1 call goes now, {size}. This cannot be undone.</source>
        <translation>将立即删除 1 次调用，{size}。此操作无法撤销。</translation>
    </message>
    <message>
        <source>A call is kept with its result until one of these is reached. Then the oldest go.</source>
        <translation>调用及其结果会一直保留，直到达到其中一个上限，此后最旧的先删除。</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Counting what would go…</source>
        <translation>正在计算将删除的内容…</translation>
    </message>
    <message>
        <source>Delete the oldest</source>
        <translation>删除最旧的</translation>
    </message>
    <message>
        <source>For ever</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>How many calls are kept?</source>
        <translation>保留多少次调用？</translation>
    </message>
    <message>
        <source>Limits of calls</source>
        <translation>调用的上限</translation>
    </message>
    <message>
        <source>No call goes now.</source>
        <translation>现在不会删除任何调用。</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>正在读取历史记录</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>The oldest {count} calls go now, {size}. This cannot be undone.</source>
        <translation>将立即删除最旧的 {count} 次调用，{size}。此操作无法撤销。</translation>
    </message>
</context>
<context>
    <name>LinkBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>在浏览器中打开</translation>
    </message>
</context>
<context>
    <name>LinkCard</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open in Resources</source>
        <translation>在“资源”中打开</translation>
    </message>
    <message>
        <source>Read a resource</source>
        <translation>读取资源</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>ListField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
</context>
<context>
    <name>Lists</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>{one} {other}</source>
        <translation>{one}{other}</translation>
    </message>
</context>
<context>
    <name>LogsView</name>
    <message>
        <source>All levels</source>
        <translation>所有级别</translation>
    </message>
    <message>
        <source>App and servers</source>
        <translation>应用和服务器</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Filter the lines</source>
        <translation>筛选日志行</translation>
    </message>
    <message>
        <source>Lines of this level</source>
        <translation>此级别的行</translation>
    </message>
    <message>
        <source>Lines of this source</source>
        <translation>此来源的日志</translation>
    </message>
    <message>
        <source>Log of the app</source>
        <translation>应用日志</translation>
    </message>
    <message>
        <source>Nothing logged yet. The output of servers is on the Servers page.</source>
        <translation>还没有日志。服务器的输出在“服务器”页面。</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The app</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
</context>
<context>
    <name>MapEditor</name>
    <message>
        <source>Add property</source>
        <translation>添加属性</translation>
    </message>
    <message>
        <source>Maximum of 1 property reached</source>
        <translation>已达上限：1 个属性</translation>
    </message>
    <message>
        <source>Maximum of {count} properties reached</source>
        <translation>已达上限：{count} 个属性</translation>
    </message>
    <message>
        <source>The object is empty.</source>
        <translation>对象为空。</translation>
    </message>
</context>
<context>
    <name>MapEntryRow</name>
    <message>
        <source>Name of property {key}</source>
        <translation>属性 {key} 的名称</translation>
    </message>
    <message>
        <source>Remove {key}</source>
        <translation>移除 {key}</translation>
    </message>
    <message>
        <source>The name {problem}</source>
        <translation>名称 {problem}</translation>
    </message>
    <message>
        <source>Value of {key}</source>
        <translation>{key} 的值</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>unnamed</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>Markdown</name>
    <message>
        <source>Its paragraphs are too long to be shown as Markdown.</source>
        <translation>其中的段落太长，无法显示为 Markdown。</translation>
    </message>
    <message>
        <source>This text is too long to be shown as Markdown.</source>
        <translation>此文本太长，无法显示为 Markdown。</translation>
    </message>
    <message>
        <source>[Picture, not loaded: {name}]</source>
        <translation>[图片，未加载：{name}]</translation>
    </message>
</context>
<context>
    <name>MarkdownColumn</name>
    <message>
        <source>Show more (1 character)</source>
        <translation>显示更多（1 个字符）</translation>
    </message>
    <message>
        <source>Show more ({count} characters)</source>
        <translation>显示更多（{count} 个字符）</translation>
    </message>
</context>
<context>
    <name>MarkdownView</name>
    <message>
        <source>The text as Markdown</source>
        <translation>以 Markdown 显示的文本</translation>
    </message>
</context>
<context>
    <name>MentionList</name>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
</context>
<context>
    <name>MentionPanel</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>Insert into the question</source>
        <translation>插入到提问中</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Waiting for {server}…</source>
        <translation>正在等待 {server}…</translation>
    </message>
    <message>
        <source>{name} has no text and no image that a question can take.</source>
        <translation>{name} 没有可加入提问的文本或图片。</translation>
    </message>
</context>
<context>
    <name>Mentions</name>
    <message>
        <source>/ for a prompt, @ for a resource</source>
        <translation>输入 / 选择提示词，输入 @ 选择资源</translation>
    </message>
    <message>
        <source>Enter inserts, Esc closes</source>
        <translation>按 Enter 插入，按 Esc 关闭</translation>
    </message>
    <message>
        <source>No connected server offers prompts.</source>
        <translation>已连接的服务器都不提供提示词。</translation>
    </message>
    <message>
        <source>No connected server offers resources.</source>
        <translation>已连接的服务器都不提供资源。</translation>
    </message>
    <message>
        <source>Read a list</source>
        <translation>读取列表</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>正在读取列表…</translation>
    </message>
</context>
<context>
    <name>MenuBar</name>
    <message>
        <source>Bring to front</source>
        <translation>前置窗口</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
</context>
<context>
    <name>MessageDetails</name>
    <message>
        <source>Edit and send…</source>
        <translation>编辑并发送…</translation>
    </message>
    <message>
        <source>Go to the answer</source>
        <translation>转到响应</translation>
    </message>
    <message>
        <source>Go to the request</source>
        <translation>转到请求</translation>
    </message>
    <message>
        <source>Select a message to see its content.</source>
        <translation>选择一条消息以查看其内容。</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>再次发送</translation>
    </message>
    <message>
        <source>Send this request to the server once more</source>
        <translation>将此请求再次发送给服务器</translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Show earlier messages ({count})</source>
        <translation>显示更早的消息（{count}）</translation>
    </message>
    <message>
        <source>Show later messages ({count})</source>
        <translation>显示更晚的消息（{count}）</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>MessagesBar</name>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>All messages…</source>
        <translation>所有消息…</translation>
    </message>
    <message>
        <source>All servers</source>
        <translation>全部服务器</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Filter by method, ID or content</source>
        <translation>按方法、ID 或内容筛选</translation>
    </message>
    <message>
        <source>Filter the messages</source>
        <translation>筛选消息</translation>
    </message>
    <message>
        <source>Messages are still collected while paused (Ctrl+P)</source>
        <translation>暂停期间仍会收集消息（Ctrl+P）</translation>
    </message>
    <message>
        <source>Messages of this kind</source>
        <translation>此类型的消息</translation>
    </message>
    <message>
        <source>Messages of this server</source>
        <translation>此服务器的消息</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Record to a file…</source>
        <translation>录制到文件…</translation>
    </message>
    <message>
        <source>Recording…</source>
        <translation>正在录制…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录制</translation>
    </message>
    <message>
        <source>The messages shown…</source>
        <translation>显示的消息…</translation>
    </message>
    <message>
        <source>{count} messages</source>
        <translation>{count} 条消息</translation>
    </message>
    <message>
        <source>{count} new while paused</source>
        <translation>暂停期间新增 {count} 条</translation>
    </message>
    <message>
        <source>{count} of {total}</source>
        <translation>{count} / {total}</translation>
    </message>
</context>
<context>
    <name>MessagesView</name>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Go to Servers</source>
        <translation>前往服务器</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>JSON-RPC messages</source>
        <translation>JSON-RPC 消息</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Messages are still being collected.</source>
        <translation>消息仍在收集。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>No messages match the filter</source>
        <translation>没有符合筛选条件的消息</translation>
    </message>
    <message>
        <source>No messages yet</source>
        <translation>还没有消息</translation>
    </message>
    <message>
        <source>Once a server is switched on, everything it sends and receives appears here.</source>
        <translation>启用服务器后，它发送和接收的所有消息都会显示在这里。</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Answer: {text}</source>
        <translation>回答：{text}</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考过程</translation>
    </message>
</context>
<context>
    <name>ModelChoice</name>
    <message>
        <source>Ask the provider for its models</source>
        <translation>获取模型列表</translation>
    </message>
    <message>
        <source>List the models</source>
        <translation>获取模型列表</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>Sent to {host}</source>
        <translation>发送到 {host}</translation>
    </message>
</context>
<context>
    <name>MoreButton</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>NextStepsRow</name>
    <message>
        <source>Connect to it as a URL</source>
        <translation>作为 URL 连接</translation>
    </message>
    <message>
        <source>Edit address…</source>
        <translation>编辑地址…</translation>
    </message>
    <message>
        <source>Edit command…</source>
        <translation>编辑命令…</translation>
    </message>
    <message>
        <source>Install {product}…</source>
        <translation>安装 {product}…</translation>
    </message>
    <message>
        <source>Set {name}…</source>
        <translation>设置 {name}…</translation>
    </message>
    <message>
        <source>Split it into command and arguments</source>
        <translation>拆分为命令和参数</translation>
    </message>
    <message>
        <source>Use “{command}”</source>
        <translation>改用“{command}”</translation>
    </message>
</context>
<context>
    <name>NoServersView</name>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Import from another app…</source>
        <translation>从其他应用导入…</translation>
    </message>
    <message>
        <source>MCP servers provide tools for you and your models. Add one by command, address, or the JSON in its README.</source>
        <translation>MCP 服务器为您和模型提供工具。可以通过命令、地址或其 README 中的 JSON 添加。</translation>
    </message>
    <message>
        <source>No servers yet</source>
        <translation>还没有服务器</translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <source>Open Settings</source>
        <translation>打开设置</translation>
    </message>
</context>
<context>
    <name>ObjectField</name>
    <message>
        <source>An empty object.</source>
        <translation>空对象。</translation>
    </message>
    <message>
        <source>Fill in</source>
        <translation>填写</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Other properties</source>
        <translation>其他属性</translation>
    </message>
    <message>
        <source>This tool takes no arguments.</source>
        <translation>此工具不需要参数。</translation>
    </message>
</context>
<context>
    <name>OfferList</name>
    <message>
        <source>1 total</source>
        <translation>共 1 个</translation>
    </message>
    <message>
        <source>Every word must match the name, the server or the line below it.</source>
        <translation>每个词都必须出现在名称、服务器或其下一行中。</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>{count} total</source>
        <translation>共 {count} 个</translation>
    </message>
    <message>
        <source>{shown} of 1</source>
        <translation>{shown} / 1 个</translation>
    </message>
    <message>
        <source>{shown} of {count}</source>
        <translation>{shown} / {count} 个</translation>
    </message>
</context>
<context>
    <name>OfferedFile</name>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>The MCP App requests to save a file: {name}, {size}</source>
        <translation>MCP 应用请求保存文件：{name}，{size}</translation>
    </message>
</context>
<context>
    <name>OfferedServers</name>
    <message>
        <source>All servers that are on, also new ones</source>
        <translation>全部已启用的服务器，包括新添加的</translation>
    </message>
</context>
<context>
    <name>OffersPage</name>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Add or switch on a server</source>
        <translation>添加或启用服务器</translation>
    </message>
    <message>
        <source>Read a list</source>
        <translation>读取列表</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>正在读取列表…</translation>
    </message>
</context>
<context>
    <name>OutputSchemaCard</name>
    <message>
        <source>Does not match the output schema ({count}):</source>
        <translation>不符合输出 Schema（{count} 处）：</translation>
    </message>
    <message>
        <source>Does not match the output schema ({count}, the first 50 are listed):</source>
        <translation>不符合输出 Schema（{count} 处，列出前 50 处）：</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现的问题</translation>
    </message>
    <message>
        <source>Matches the output schema.</source>
        <translation>符合输出 Schema。</translation>
    </message>
    <message>
        <source>To note about this value ({count}):</source>
        <translation>关于此值的提示（{count}）：</translation>
    </message>
</context>
<context>
    <name>PageBar</name>
    <message>
        <source>Next part (Ctrl+PgDown)</source>
        <translation>下一部分（Ctrl+PgDown）</translation>
    </message>
    <message>
        <source>Part {number} of {count}, {size} in total</source>
        <translation>第 {number} 部分，共 {count} 部分，总计 {size}</translation>
    </message>
    <message>
        <source>Previous part (Ctrl+PgUp)</source>
        <translation>上一部分（Ctrl+PgUp）</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Reading the tools again</source>
        <translation>正在重新读取工具</translation>
    </message>
    <message>
        <source>The process that watches the servers ended; all were started again.</source>
        <translation>监护服务器的进程已结束；全部服务器均已重启。</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Go to a tool, server, chat, saved call or action</source>
        <translation>转到工具、服务器、对话、已保存调用或操作</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
</context>
<context>
    <name>PaletteFeature</name>
    <message>
        <source>Add server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Follow the system&apos;s theme</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Import servers…</source>
        <translation>导入服务器…</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>未启用</translation>
    </message>
    <message>
        <source>On</source>
        <translation>已启用</translation>
    </message>
    <message>
        <source>Read chats and saved calls</source>
        <translation>读取对话和已保存调用</translation>
    </message>
    <message>
        <source>Switch off {name}</source>
        <translation>停用 {name}</translation>
    </message>
    <message>
        <source>Switch on {name}</source>
        <translation>启用 {name}</translation>
    </message>
    <message>
        <source>Use the dark theme</source>
        <translation>使用深色主题</translation>
    </message>
    <message>
        <source>Use the light theme</source>
        <translation>使用浅色主题</translation>
    </message>
</context>
<context>
    <name>PaletteRows</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Saved call</source>
        <translation>已保存调用</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>PasteForm</name>
    <message>
        <source>Choose a file with servers</source>
        <translation>选择包含服务器的文件</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Command, URL, package, link or JSON of a server</source>
        <translation>服务器的命令、URL、软件包、链接或 JSON</translation>
    </message>
    <message>
        <source>It is a Python package: run it with uvx</source>
        <translation>这是 Python 软件包：用 uvx 运行</translation>
    </message>
    <message>
        <source>It is an npm package: run it with npx</source>
        <translation>这是 npm 软件包：用 npx 运行</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Paste or type a command line, a URL, a package, an install link, or JSON, TOML or YAML.</source>
        <translation>粘贴或输入命令行、URL、软件包、安装链接，或 JSON、TOML、YAML。</translation>
    </message>
</context>
<context>
    <name>PathField</name>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
</context>
<context>
    <name>PathLine</name>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
</context>
<context>
    <name>PathRow</name>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
</context>
<context>
    <name>PlainLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>PresetLine</name>
    <message>
        <source>Anything</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Fills in the address; also what runs on this computer.</source>
        <translation>自动填写地址；也包括本机上运行的服务。</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>{name}, on this computer: {model}</source>
        <translation>{name}，本机：{model}</translation>
    </message>
</context>
<context>
    <name>PreviousRun</name>
    <message>
        <source>1 process left over from a previous run was stopped:</source>
        <translation>已停止上次运行遗留的 1 个进程：</translation>
    </message>
    <message>
        <source>Left over from a previous run and could not be stopped:</source>
        <translation>上次运行遗留且无法停止：</translation>
    </message>
    <message>
        <source>{count} processes left over from a previous run were stopped:</source>
        <translation>已停止上次运行遗留的 {count} 个进程：</translation>
    </message>
</context>
<context>
    <name>ProcessWords</name>
    <message>
        <source>1 process</source>
        <translation>1 个进程</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>Could not be ended</source>
        <translation>无法结束</translation>
    </message>
    <message>
        <source>Ended by itself</source>
        <translation>自行结束</translation>
    </message>
    <message>
        <source>Ended by signal {signal}</source>
        <translation>因信号 {signal} 而结束</translation>
    </message>
    <message>
        <source>Ended by you</source>
        <translation>由您结束</translation>
    </message>
    <message>
        <source>Exited with code {code}</source>
        <translation>已退出，代码 {code}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopped by force</source>
        <translation>已强制停止</translation>
    </message>
    <message>
        <source>The app itself {app}</source>
        <translation>应用自身 {app}</translation>
    </message>
    <message>
        <source>They end the servers if the app cannot do it any more.</source>
        <translation>当应用自己无法再结束服务器时，由它们来结束。</translation>
    </message>
    <message>
        <source>exited, not yet reaped</source>
        <translation>已结束，尚未回收</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>stopped by a debugger</source>
        <translation>被调试器停止</translation>
    </message>
    <message>
        <source>waiting for a device, cannot be ended</source>
        <translation>正在等待设备，无法结束</translation>
    </message>
    <message>
        <source>{app}, its keepers {keepers}</source>
        <translation>{app}，其监护进程 {keepers}</translation>
    </message>
    <message>
        <source>{count} processes</source>
        <translation>{count} 个进程</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 个服务器</translation>
    </message>
    <message>
        <source>{servers}; the app itself {app}</source>
        <translation>{servers}；应用自身 {app}</translation>
    </message>
    <message>
        <source>{shown} of {count} processes</source>
        <translation>{count} 个进程中的 {shown} 个</translation>
    </message>
</context>
<context>
    <name>ProcessesPage</name>
    <message>
        <source>Age</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Copy PID</source>
        <translation>复制 PID</translation>
    </message>
    <message>
        <source>End process…</source>
        <translation>结束进程…</translation>
    </message>
    <message>
        <source>End “{name}” (PID {pid}) and everything below it?</source>
        <translation>结束“{name}”（PID {pid}）及其下的所有进程？</translation>
    </message>
    <message>
        <source>Go to Servers</source>
        <translation>前往服务器</translation>
    </message>
    <message>
        <source>It belongs to the conversation “{name}”, which continues without it.</source>
        <translation>它属于对话“{name}”，该对话将在没有它的情况下继续。</translation>
    </message>
    <message>
        <source>Keepers of the servers</source>
        <translation>监护进程（guardian）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>No server is running</source>
        <translation>没有正在运行的服务器</translation>
    </message>
    <message>
        <source>Once a server is switched on, its processes appear here.</source>
        <translation>启用服务器后，其所有进程都会显示在这里。</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所属</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Process records are unavailable: {problem}</source>
        <translation>进程记录不可用：{problem}</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Processes of each server</source>
        <translation>各服务器的进程</translation>
    </message>
    <message>
        <source>Resident memory (RSS): shared memory is counted for each process.</source>
        <translation>常驻内存（RSS）：进程共享的部分会分别计入每个进程。</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>重启服务器</translation>
    </message>
    <message>
        <source>Started by the server “{name}”, which may start it again or fail without it. Restarting the server fixes that.</source>
        <translation>由服务器“{name}”启动，它可能会再次启动该进程，或因缺少它而失败。重启服务器即可恢复。</translation>
    </message>
    <message>
        <source>This is the server “{name}”. Its running calls will fail and the app will reconnect it. To keep it stopped, switch it off on the Servers page.</source>
        <translation>这是服务器“{name}”。正在运行的调用会失败，应用会重新连接它。若要让它保持停止，请在“服务器”页面停用它。</translation>
    </message>
</context>
<context>
    <name>PromptView</name>
    <message>
        <source>Add it to your question</source>
        <translation>添加到问题中</translation>
    </message>
    <message>
        <source>Add to chat</source>
        <translation>添加到对话</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Get a prompt</source>
        <translation>获取提示词</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Only text and images are added to the chat.</source>
        <translation>只有文本和图片会添加到对话。</translation>
    </message>
    <message>
        <source>Text of a message</source>
        <translation>消息文本</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>Choose a prompt</source>
        <translation>选择一个提示词</translation>
    </message>
    <message>
        <source>Its form and its messages appear here.</source>
        <translation>其表单和消息会显示在这里。</translation>
    </message>
    <message>
        <source>No prompts yet</source>
        <translation>还没有提示词</translation>
    </message>
    <message>
        <source>None of the connected servers offers prompts.</source>
        <translation>已连接的服务器都不提供提示词。</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Prompts appear here once a connected server offers some.</source>
        <translation>连接服务器后，提示词会显示在这里。</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>搜索提示词</translation>
    </message>
</context>
<context>
    <name>ProtocolDrawer</name>
    <message>
        <source>All messages</source>
        <translation>所有消息</translation>
    </message>
    <message>
        <source>Close the protocol</source>
        <translation>关闭协议消息</translation>
    </message>
    <message>
        <source>Close the protocol (Esc)</source>
        <translation>关闭协议消息（Esc）</translation>
    </message>
    <message>
        <source>Exported to {file}.</source>
        <translation>已导出到 {file}。</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议消息</translation>
    </message>
    <message>
        <source>Selected call</source>
        <translation>所选调用</translation>
    </message>
    <message>
        <source>The messages of the call that is selected, or made last</source>
        <translation>所选调用或最近一次调用的消息</translation>
    </message>
</context>
<context>
    <name>ProtocolFeature</name>
    <message>
        <source>Protocol</source>
        <translation>协议消息</translation>
    </message>
    <message>
        <source>The messages to and from the servers</source>
        <translation>与服务器之间收发的消息</translation>
    </message>
</context>
<context>
    <name>ProviderDialog</name>
    <message>
        <source>A key is kept until the app ends: this desktop has no keyring.</source>
        <translation>密钥只保留到应用退出：此系统没有密钥库。</translation>
    </message>
    <message>
        <source>A key is stored in the keyring. Type another to replace it.</source>
        <translation>系统密钥库中已有密钥。输入新密钥即可替换。</translation>
    </message>
    <message>
        <source>A provider with this name already exists.</source>
        <translation>已有同名的提供商。</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>Add model provider</source>
        <translation>添加模型提供商</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>API 地址（Base URL）</translation>
    </message>
    <message>
        <source>An OpenAI-compatible server needs an address.</source>
        <translation>OpenAI 兼容接口需要填写 API 地址。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Edit “{name}”</source>
        <translation>编辑“{name}”</translation>
    </message>
    <message>
        <source>For example {address}</source>
        <translation>例如 {address}</translation>
    </message>
    <message>
        <source>Forget the key</source>
        <translation>删除密钥</translation>
    </message>
    <message>
        <source>Forget the stored key</source>
        <translation>删除已存的密钥</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Look for models on this computer</source>
        <translation>查找本机上的模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>New conversations start with it. Optional.</source>
        <translation>新对话默认使用。可选。</translation>
    </message>
    <message>
        <source>OpenAI-compatible server</source>
        <translation>OpenAI 兼容接口</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the provider</source>
        <translation>保存提供商</translation>
    </message>
    <message>
        <source>Shown wherever you choose a model.</source>
        <translation>在选择模型时显示。</translation>
    </message>
    <message>
        <source>Stored in your desktop&apos;s keyring and never shown again.</source>
        <translation>保存在系统密钥库中（Windows 凭据管理器、macOS 钥匙串），之后不再显示。</translation>
    </message>
    <message>
        <source>The environment variable {name} is used, whatever is stored here.</source>
        <translation>优先使用环境变量 {name}。</translation>
    </message>
</context>
<context>
    <name>ProviderRow</name>
    <message>
        <source>Connected. Models: {count}, such as {model}.</source>
        <translation>已连接。模型数：{count}，例如 {model}。</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Enter key…</source>
        <translation>输入密钥…</translation>
    </message>
    <message>
        <source>Key for this session (no keyring)</source>
        <translation>密钥仅限本次运行（没有系统密钥库）</translation>
    </message>
    <message>
        <source>Key from the environment ({name})</source>
        <translation>密钥来自环境变量（{name}）</translation>
    </message>
    <message>
        <source>Key in the keyring</source>
        <translation>密钥已存入系统密钥库</translation>
    </message>
    <message>
        <source>Loading models…</source>
        <translation>正在查询模型…</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>未设置密钥</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test the provider</source>
        <translation>测试提供商</translation>
    </message>
    <message>
        <source>Without a key</source>
        <translation>无需密钥</translation>
    </message>
</context>
<context>
    <name>ProvidersSection</name>
    <message>
        <source>Add provider…</source>
        <translation>添加提供商…</translation>
    </message>
    <message>
        <source>It is removed from the configuration and its key from the keyring.</source>
        <translation>它将从配置中移除，其密钥将从系统密钥库中删除。</translation>
    </message>
    <message>
        <source>Look for keys</source>
        <translation>查找密钥</translation>
    </message>
    <message>
        <source>Model providers</source>
        <translation>模型提供商</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove a provider</source>
        <translation>移除提供商</translation>
    </message>
    <message>
        <source>Remove provider</source>
        <translation>移除提供商</translation>
    </message>
    <message>
        <source>Remove “{name}”?</source>
        <translation>移除“{name}”？</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Backspace</source>
        <translation>Backspace</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menu</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>↑</translation>
    </message>
</context>
<context>
    <name>QuestionDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>QuestionEditor</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>The current version is kept.</source>
        <translation>当前版本会保留。</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Activity</source>
        <translation>调用记录</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Server requests waiting for you: {count}</source>
        <translation>等待您回答的服务器请求：{count}</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>RefusalsView</name>
    <message>
        <source>Allow and restart</source>
        <translation>允许并重新启动</translation>
    </message>
    <message>
        <source>Allow reading…</source>
        <translation>允许读取…</translation>
    </message>
    <message>
        <source>Allow this host…</source>
        <translation>允许此主机…</translation>
    </message>
    <message>
        <source>Allow writing…</source>
        <translation>允许写入…</translation>
    </message>
    <message>
        <source>Allow “{server}” to reach {opened}?</source>
        <translation>允许“{server}”访问 {opened} 吗？</translation>
    </message>
    <message>
        <source>Allow “{server}” to read and change {opened}?</source>
        <translation>允许“{server}”读取和修改 {opened} 吗？</translation>
    </message>
    <message>
        <source>Allow “{server}” to read {opened}?</source>
        <translation>允许“{server}”读取 {opened} 吗？</translation>
    </message>
    <message>
        <source>It was refused this, as far as its own output tells. Its entry is changed, and it is started again.</source>
        <translation>根据它自己的输出，这一项被拒绝了。允许后将修改它的条目并重新启动它。</translation>
    </message>
    <message>
        <source>Its sandbox refused it:</source>
        <translation>沙盒拒绝了它：</translation>
    </message>
    <message>
        <source>Open the sandbox</source>
        <translation>放宽沙盒</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>…… 另有 {count} 项</translation>
    </message>
</context>
<context>
    <name>Remedy</name>
    <message>
        <source>Check the server&apos;s output on the Servers page, then restart it.</source>
        <translation>请在“服务器”页查看该服务器的输出，然后重启它。</translation>
    </message>
    <message>
        <source>Nothing was sent. Correct the fields listed.</source>
        <translation>未发送任何内容。请更正所列字段。</translation>
    </message>
    <message>
        <source>Run it again, or give the server a longer limit in its settings.</source>
        <translation>请重新运行，或在设置中为服务器增大超时。</translation>
    </message>
    <message>
        <source>Switch its server on, or choose another tool.</source>
        <translation>请启用其服务器，或选择其他工具。</translation>
    </message>
    <message>
        <source>The server violated the protocol; see its log.</source>
        <translation>服务器违反了协议，请查看其日志。</translation>
    </message>
    <message>
        <source>The tool reported this error. Change the arguments and run it again.</source>
        <translation>工具报告了此错误。请修改参数后重新运行。</translation>
    </message>
    <message>
        <source>This is a bug in the app; see its log.</source>
        <translation>这是本应用的缺陷，请查看日志。</translation>
    </message>
</context>
<context>
    <name>Removal</name>
    <message>
        <source>Its unpacked files are deleted when this closes.</source>
        <translation>此提示关闭时会删除它解压出的文件。</translation>
    </message>
    <message>
        <source>Keep its files</source>
        <translation>保留文件</translation>
    </message>
    <message>
        <source>Removed “{name}”.</source>
        <translation>已移除“{name}”。</translation>
    </message>
    <message>
        <source>Removed “{name}”. Its files stay in {folder}.</source>
        <translation>已移除“{name}”。它的文件保留在 {folder}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>RemoveDialog</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove server</source>
        <translation>移除服务器</translation>
    </message>
    <message>
        <source>Remove “{name}”?</source>
        <translation>移除“{name}”？</translation>
    </message>
    <message>
        <source>The server is stopped and its entry is removed from the configuration file. To pause it, switch it off instead.</source>
        <translation>服务器会停止，其条目会从配置文件中移除。如果只想暂停，请改为停用。</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Crash report</source>
        <translation>崩溃报告</translation>
    </message>
    <message>
        <source>The report stays on this computer. Anything that looks like a secret was removed.</source>
        <translation>报告只保存在本机上。看起来像敏感信息的内容已移除。</translation>
    </message>
</context>
<context>
    <name>RequestDialog</name>
    <message>
        <source>Edit and send</source>
        <translation>编辑并发送</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Sent to {server} as your own request.</source>
        <translation>将作为您自己的请求发送给 {server}。</translation>
    </message>
</context>
<context>
    <name>RequestSender</name>
    <message>
        <source>Sending the request</source>
        <translation>正在发送请求</translation>
    </message>
    <message>
        <source>{server} is not one of your servers: its chat may have ended.</source>
        <translation>{server} 不是已添加的服务器：它所属的对话可能已结束。</translation>
    </message>
</context>
<context>
    <name>RequestView</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close without an answer</source>
        <translation>不回答并关闭</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Reply no to the server</source>
        <translation>服务器会得知您拒绝了</translation>
    </message>
    <message>
        <source>What the server says</source>
        <translation>来自服务器的消息</translation>
    </message>
</context>
<context>
    <name>RequestsPanel</name>
    <message>
        <source>Requests from servers</source>
        <translation>来自服务器的请求</translation>
    </message>
</context>
<context>
    <name>ResourceView</name>
    <message>
        <source>Add it to your question</source>
        <translation>添加到问题中</translation>
    </message>
    <message>
        <source>Add to chat</source>
        <translation>添加到对话</translation>
    </message>
    <message>
        <source>Changed at {time}</source>
        <translation>更改于 {time}</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Read a resource</source>
        <translation>读取资源</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read it again whenever it changes</source>
        <translation>每当它更改时重新读取</translation>
    </message>
    <message>
        <source>Subscribe</source>
        <translation>订阅</translation>
    </message>
    <message>
        <source>Subscribed</source>
        <translation>已订阅</translation>
    </message>
    <message>
        <source>changed {when}</source>
        <translation>更改时间 {when}</translation>
    </message>
    <message>
        <source>for people</source>
        <translation>供用户使用</translation>
    </message>
    <message>
        <source>for the model</source>
        <translation>供模型使用</translation>
    </message>
    <message>
        <source>priority {value}</source>
        <translation>优先级 {value}</translation>
    </message>
</context>
<context>
    <name>ResourcesPage</name>
    <message>
        <source>Choose a resource</source>
        <translation>选择一个资源</translation>
    </message>
    <message>
        <source>Its content appears here.</source>
        <translation>其内容会显示在这里。</translation>
    </message>
    <message>
        <source>No resources yet</source>
        <translation>还没有资源</translation>
    </message>
    <message>
        <source>None of the connected servers offers resources.</source>
        <translation>已连接的服务器都不提供资源。</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Resources appear here once a connected server offers some.</source>
        <translation>连接服务器后，资源会显示在这里。</translation>
    </message>
    <message>
        <source>Search resources</source>
        <translation>搜索资源</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
</context>
<context>
    <name>Restart</name>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>The new language takes effect at the next start.</source>
        <translation>所选语言将在下次启动时生效。</translation>
    </message>
</context>
<context>
    <name>ResultArea</name>
    <message>
        <source>No result yet. Fill in the form and press Ctrl+Enter.</source>
        <translation>还没有结果。填写表单并按 Ctrl+Enter。</translation>
    </message>
    <message>
        <source>Running. The result appears here.</source>
        <translation>正在运行。结果会显示在这里。</translation>
    </message>
</context>
<context>
    <name>ResultPictures</name>
    <message>
        <source>Image, {facts}</source>
        <translation>图片，{facts}</translation>
    </message>
    <message>
        <source>Show the images</source>
        <translation>显示图片</translation>
    </message>
    <message>
        <source>{count} more in Details</source>
        <translation>另有 {count} 张，见“详情”</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Save everything…</source>
        <translation>全部保存…</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>1 not compared</source>
        <translation>1 个未对比</translation>
    </message>
    <message>
        <source>1 result differs</source>
        <translation>1 个结果不同</translation>
    </message>
    <message>
        <source>1 saved call.</source>
        <translation>1 个已保存调用。</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Comparing the results</source>
        <translation>正在对比结果</translation>
    </message>
    <message>
        <source>Differ</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>No call was answered on both.</source>
        <translation>没有一个调用在两边都有结果。</translation>
    </message>
    <message>
        <source>No saved calls of “{first}” or “{other}”</source>
        <translation>“{first}”和“{other}”都没有已保存调用</translation>
    </message>
    <message>
        <source>Not compared</source>
        <translation>未对比</translation>
    </message>
    <message>
        <source>Not declared read-only, so they may change something: {names}</source>
        <translation>未声明为只读，因此可能会更改内容：{names}</translation>
    </message>
    <message>
        <source>Not recorded</source>
        <translation>未录制</translation>
    </message>
    <message>
        <source>Nothing is called: both are recordings.</source>
        <translation>不会调用任何服务器：两边都是录制。</translation>
    </message>
    <message>
        <source>Only “{name}” is called; the other answers are those of the recording.</source>
        <translation>只会调用“{name}”；另一边的结果来自录制。</translation>
    </message>
    <message>
        <source>Reading saved calls</source>
        <translation>正在读取已保存调用</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Run on both</source>
        <translation>在两边运行</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Save a call from the history or a tool&apos;s form: here it is made on both servers, and the results are compared.</source>
        <translation>请从历史或工具的表单中保存一次调用：它会在这里的两个服务器上各运行一次，并对比结果。</translation>
    </message>
    <message>
        <source>Save a call from the history or a tool&apos;s form: here it is made on both servers, and the results are compared. Calls of another server can be chosen above.</source>
        <translation>请从历史或工具的表单中保存一次调用：它会在这里的两个服务器上各运行一次，并对比结果。也可以在上方选择另一个服务器的调用。</translation>
    </message>
    <message>
        <source>Saved call</source>
        <translation>已保存调用</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>已保存调用</translation>
    </message>
    <message>
        <source>Saved calls of</source>
        <translation>已保存调用所属服务器</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopped; nothing was compared.</source>
        <translation>已停止，没有进行对比。</translation>
    </message>
    <message>
        <source>The results are the same</source>
        <translation>结果相同</translation>
    </message>
    <message>
        <source>They are made on “{first}” first, then on “{other}”.</source>
        <translation>先在“{first}”上运行，再在“{other}”上运行。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>{count} not compared</source>
        <translation>{count} 个未对比</translation>
    </message>
    <message>
        <source>{count} results differ</source>
        <translation>{count} 个结果不同</translation>
    </message>
    <message>
        <source>{count} saved calls.</source>
        <translation>{count} 个已保存调用。</translation>
    </message>
    <message>
        <source>− Before   + After</source>
        <translation>− 之前   + 之后</translation>
    </message>
</context>
<context>
    <name>RunAgain</name>
    <message>
        <source>Running the call</source>
        <translation>正在运行调用</translation>
    </message>
    <message>
        <source>The server {name} no longer exists.</source>
        <translation>服务器 {name} 已不存在。</translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Edit arguments</source>
        <translation>编辑参数</translation>
    </message>
    <message>
        <source>Empty every field</source>
        <translation>清空所有字段</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>仍然发送</translation>
    </message>
    <message>
        <source>Send it without validation to see how the server responds</source>
        <translation>不经验证直接发送，看看服务器如何回应</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>The server may refuse it.</source>
        <translation>服务器可能会拒绝。</translation>
    </message>
</context>
<context>
    <name>RunProgress</name>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>{number} of {total} · {name}</source>
        <translation>第 {number} 个，共 {total} 个 · {name}</translation>
    </message>
</context>
<context>
    <name>RunsOfCell</name>
    <message>
        <source>Open a conversation</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open in Chat</source>
        <translation>在对话中打开</translation>
    </message>
    <message>
        <source>Reading the runs</source>
        <translation>读取各次运行</translation>
    </message>
    <message>
        <source>Run {number}</source>
        <translation>第 {number} 次</translation>
    </message>
    <message>
        <source>Runs of this case</source>
        <translation>此用例的各次运行</translation>
    </message>
    <message>
        <source>The true rate is between {low} and {high} %; {share} % are needed.</source>
        <translation>真实通过率在 {low} 到 {high} % 之间；需要 {share} %。</translation>
    </message>
    <message>
        <source>What was said and called in this run</source>
        <translation>此次运行中的对话与调用</translation>
    </message>
</context>
<context>
    <name>SamplingPrompt</name>
    <message>
        <source>1 character in total</source>
        <translation>共 1 个字符</translation>
    </message>
    <message>
        <source>Earlier messages, sent as they are:</source>
        <translation>较早的消息，将原样发送：</translation>
    </message>
    <message>
        <source>It also requests context from other servers, which is not shared.</source>
        <translation>它还请求其他服务器的上下文，但不会共享。</translation>
    </message>
    <message>
        <source>It requests a temperature of {value}, which is not passed on.</source>
        <translation>请求的 temperature 为 {value}，不会传给模型。</translation>
    </message>
    <message>
        <source>Maximum tokens</source>
        <translation>最大 token 数</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Preferred models: {names}</source>
        <translation>首选模型：{names}</translation>
    </message>
    <message>
        <source>Stop sequences: {names}</source>
        <translation>停止序列：{names}</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Text of a message</source>
        <translation>消息文本</translation>
    </message>
    <message>
        <source>The model may request tools that the server runs itself: {names}</source>
        <translation>模型可以请求以下工具，由服务器自己运行：{names}</translation>
    </message>
    <message>
        <source>The texts contain invisible characters.</source>
        <translation>其文本含有看不见的字符。</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>{count} characters in total</source>
        <translation>共 {count} 个字符</translation>
    </message>
</context>
<context>
    <name>SamplingView</name>
    <message>
        <source>Answer by hand</source>
        <translation>手动回答</translation>
    </message>
    <message>
        <source>Answer from {model}</source>
        <translation>{model} 的回答</translation>
    </message>
    <message>
        <source>Ask the model</source>
        <translation>询问模型</translation>
    </message>
    <message>
        <source>Choose a provider and a model first.</source>
        <translation>请先选择提供商和模型。</translation>
    </message>
    <message>
        <source>Let the model answer</source>
        <translation>让模型回答</translation>
    </message>
    <message>
        <source>No model provider has a key. Answer by hand, or refuse.</source>
        <translation>没有任何模型提供商有密钥。请手动回答，或拒绝。</translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Send answer</source>
        <translation>发送回答</translation>
    </message>
    <message>
        <source>The limit is not a number, or too large. Correct it first.</source>
        <translation>该限制不是数字或过大。请先更正。</translation>
    </message>
    <message>
        <source>The model answers…</source>
        <translation>模型正在回答…</translation>
    </message>
    <message>
        <source>The server receives the answer as shown here</source>
        <translation>服务器会收到此处所示的回答</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>SandboxChoice</name>
    <message>
        <source>All that you may</source>
        <translation>您能访问的一切</translation>
    </message>
    <message>
        <source>Its own folders and the network</source>
        <translation>自己的文件夹和网络</translation>
    </message>
    <message>
        <source>Its own folders, no network</source>
        <translation>自己的文件夹，无网络</translation>
    </message>
    <message>
        <source>May also read</source>
        <translation>还可读取</translation>
    </message>
    <message>
        <source>May also read and change</source>
        <translation>还可读取和修改</translation>
    </message>
    <message>
        <source>Only these hosts, in place of all or none</source>
        <translation>仅限这些主机（代替全部或无网络）</translation>
    </message>
    <message>
        <source>Only what it needs to run</source>
        <translation>仅运行所需的内容</translation>
    </message>
</context>
<context>
    <name>SandboxOffer</name>
    <message>
        <source>Otherwise it can touch all that you can. It can be changed in its form.</source>
        <translation>否则它可以访问您能访问的一切。之后可在其表单中更改。</translation>
    </message>
    <message>
        <source>Start in a sandbox. May touch: {places}</source>
        <translation>在沙盒中启动。可访问：{places}</translation>
    </message>
    <message>
        <source>Without a sandbox: {servers}. {reason}</source>
        <translation>没有沙盒：{servers}。{reason}</translation>
    </message>
</context>
<context>
    <name>SaveCallDialog</name>
    <message>
        <source>A call cannot use a value of its own result.</source>
        <translation>调用不能使用自身结果中的值。</translation>
    </message>
    <message>
        <source>All of these have to hold of the result. Without any, the call must succeed.</source>
        <translation>以下断言须全部通过；未设断言时，调用成功即通过。</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Enter a name for the call.</source>
        <translation>请给调用起一个名称。</translation>
    </message>
    <message>
        <source>Expect the same result</source>
        <translation>以原来的结果作为断言</translation>
    </message>
    <message>
        <source>Expectations</source>
        <translation>断言</translation>
    </message>
    <message>
        <source>Left out, because it looks like a secret: {places}</source>
        <translation>看起来是敏感信息，因此已省略：{places}</translation>
    </message>
    <message>
        <source>Line {line}: {message}</source>
        <translation>第 {line} 行：{message}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of this call of {tool}</source>
        <translation>{tool} 的这次调用的名称</translation>
    </message>
    <message>
        <source>No saved call in this folder is named “{name}”.</source>
        <translation>此文件夹中没有名为“{name}”的已保存调用。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save call</source>
        <translation>保存调用</translation>
    </message>
    <message>
        <source>e.g. adds two numbers</source>
        <translation>例如：两数相加</translation>
    </message>
</context>
<context>
    <name>SaveCaseButton</name>
    <message>
        <source>Ask this of a model again and again, and expect these calls</source>
        <translation>反复向模型提出这个问题，并预期这些调用</translation>
    </message>
    <message>
        <source>Save as case…</source>
        <translation>保存为用例…</translation>
    </message>
</context>
<context>
    <name>SaveCaseDialog</name>
    <message>
        <source>A model is asked this again and again. Say what its calls and its answer have to be; take out what does not matter.</source>
        <translation>会反复向模型提出这个问题。请写明调用和回答应当如何，删去无关紧要的部分。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Line {line}: {message}</source>
        <translation>第 {line} 行：{message}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as case</source>
        <translation>保存为用例</translation>
    </message>
    <message>
        <source>Saving the case</source>
        <translation>保存用例</translation>
    </message>
    <message>
        <source>The case as JSON</source>
        <translation>用例（JSON）</translation>
    </message>
</context>
<context>
    <name>SavedCallsFeature</name>
    <message>
        <source>Saved calls</source>
        <translation>已保存调用</translation>
    </message>
</context>
<context>
    <name>SavedCallsView</name>
    <message>
        <source>All expectations were met.</source>
        <translation>断言全部通过。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete saved call</source>
        <translation>删除已保存调用</translation>
    </message>
    <message>
        <source>Delete “{name}”?</source>
        <translation>删除“{name}”？</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Deleting the saved call</source>
        <translation>删除已保存调用</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Expectations were not met. Run it again to see the differences.</source>
        <translation>断言未通过。重新运行可查看差异。</translation>
    </message>
    <message>
        <source>Expectations were not met:</source>
        <translation>断言未通过：</translation>
    </message>
    <message>
        <source>Folder of saved calls</source>
        <translation>已保存调用的文件夹</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Go to Tools</source>
        <translation>前往工具</translation>
    </message>
    <message>
        <source>It is removed from {file}.</source>
        <translation>它将从 {file} 中删除。</translation>
    </message>
    <message>
        <source>Last outcome</source>
        <translation>上次结果</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>No saved calls yet</source>
        <translation>还没有已保存调用</translation>
    </message>
    <message>
        <source>Not run yet. Run it to check its expectations.</source>
        <translation>尚未运行。运行后可查看断言是否通过。</translation>
    </message>
    <message>
        <source>Open in form</source>
        <translation>在表单中打开</translation>
    </message>
    <message>
        <source>Reading saved calls</source>
        <translation>正在读取已保存调用</translation>
    </message>
    <message>
        <source>Review difference…</source>
        <translation>检查不同之处…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Running saved calls</source>
        <translation>运行已保存调用</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Save a call from the history or a tool&apos;s form with the result you expect, then run it here or with: mcp-desktop test</source>
        <translation>从历史或工具表单中保存调用并设置断言，然后在这里或用以下命令运行：mcp-desktop test</translation>
    </message>
    <message>
        <source>Saved calls</source>
        <translation>已保存调用</translation>
    </message>
    <message>
        <source>Saving the call</source>
        <translation>保存调用</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Skipped; nothing was sent.</source>
        <translation>已跳过；未发送任何内容。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The saved call as stored in its file</source>
        <translation>文件中的已保存调用</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save everything</source>
        <translation>全部保存</translation>
    </message>
    <message>
        <source>Saving the call</source>
        <translation>保存调用</translation>
    </message>
    <message>
        <source>{name} was not saved: {reason}</source>
        <translation>未能保存 {name}：{reason}</translation>
    </message>
</context>
<context>
    <name>SchemaForm</name>
    <message>
        <source>A field contains invalid JSON. Correct it before switching; nothing is lost.</source>
        <translation>有字段含有无效的 JSON。请先更正再切换；不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Restore the last valid JSON</source>
        <translation>恢复上一个有效的 JSON</translation>
    </message>
    <message>
        <source>The form cannot show this text. Correct it first; nothing is lost.</source>
        <translation>表单无法显示这段文本。请先更正；不会丢失任何内容。</translation>
    </message>
</context>
<context>
    <name>SchemaTab</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>SecretField</name>
    <message>
        <source>Show the text</source>
        <translation>显示文本</translation>
    </message>
</context>
<context>
    <name>SecretsBox</name>
    <message>
        <source>Keep for this session, as this desktop has no keyring: {names}</source>
        <translation>仅在本次运行中保留（此系统没有密钥库）：{names}</translation>
    </message>
    <message>
        <source>Keep in the keyring: {names}</source>
        <translation>保存在系统密钥库中：{names}</translation>
    </message>
    <message>
        <source>Nothing was saved. To store the secret as plain text in the configuration file, clear the box below. Or write ${VARIABLE} and set that variable in your environment.</source>
        <translation>没有保存任何内容。若要以明文将敏感信息保存在配置文件中，请取消勾选下面的选项；或者写成 ${VARIABLE} 并在您的环境中设置该变量。</translation>
    </message>
    <message>
        <source>The configuration file then only refers to it as ${keyring:NAME}</source>
        <translation>配置文件中只以 ${keyring:NAME} 引用它</translation>
    </message>
    <message>
        <source>The server asks for it again after a restart of the app. Unticked, it stands in the configuration file as plain text.</source>
        <translation>应用重启后，服务器会再次要求提供。不勾选时，它会以明文写入配置文件。</translation>
    </message>
</context>
<context>
    <name>SectionList</name>
    <message>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>CPU {cpu}</source>
        <translation>CPU {cpu}</translation>
    </message>
    <message>
        <source>Choose what it may use: see its details.</source>
        <translation>请在详细信息中选择它可以使用的内容。</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Not started. Review what it runs first.</source>
        <translation>未启动。请先查看它会运行什么。</translation>
    </message>
    <message>
        <source>Review and start…</source>
        <translation>查看并启动…</translation>
    </message>
    <message>
        <source>Sandboxed</source>
        <translation>沙盒中</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>使用 {name}</translation>
    </message>
</context>
<context>
    <name>ServerCounts</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>No server is switched on</source>
        <translation>没有启用的服务器</translation>
    </message>
    <message>
        <source>{connected} of 1 server connected</source>
        <translation>已连接 {connected}/1 个服务器</translation>
    </message>
    <message>
        <source>{connected} of {count} servers connected</source>
        <translation>已连接 {connected}/{count} 个服务器</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
</context>
<context>
    <name>ServerDetailsView</name>
    <message>
        <source>Change its command or address (F2)</source>
        <translation>修改启动或连接方式（F2）</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>对比…</translation>
    </message>
    <message>
        <source>Defined in MCP_SERVERS: it can be switched on and off, but not edited.</source>
        <translation>在 MCP_SERVERS 中定义：可以开关，但不能编辑。</translation>
    </message>
    <message>
        <source>Details of the server</source>
        <translation>服务器详情</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>使用说明</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Remove it from the configuration (Del)</source>
        <translation>从配置中移除（Del）</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Stop the server and start it again (Ctrl+R)</source>
        <translation>停止并重启服务器（Ctrl+R）</translation>
    </message>
    <message>
        <source>The server&apos;s instructions for models</source>
        <translation>服务器提供给模型的使用说明</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools ({count})</source>
        <translation>工具（{count}）</translation>
    </message>
    <message>
        <source>What of the tools differs from another server</source>
        <translation>这些工具与另一服务器有何不同</translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message>
        <source>A server named “{name}” already exists. Choose another name.</source>
        <translation>已存在名为“{name}”的服务器，请换一个名称。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Discard your changes?</source>
        <translation>放弃更改？</translation>
    </message>
    <message>
        <source>Edit “{name}”</source>
        <translation>编辑“{name}”</translation>
    </message>
    <message>
        <source>Fill this in, or press Add again to add it without.</source>
        <translation>请填写此项；再次按“添加”则不填写直接添加。</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>继续编辑</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Storing secrets</source>
        <translation>正在保存敏感信息</translation>
    </message>
    <message>
        <source>To edit a server, the JSON must hold exactly one.</source>
        <translation>编辑服务器时，JSON 中必须恰好只有一个服务器。</translation>
    </message>
</context>
<context>
    <name>ServerFacts</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>From the catalogue</source>
        <translation>来自 MCP 市场</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>May touch</source>
        <translation>可访问</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Not passed on</source>
        <translation>未传递的变量</translation>
    </message>
    <message>
        <source>Offers</source>
        <translation>支持的能力</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>协议版本</translation>
    </message>
    <message>
        <source>Ready in</source>
        <translation>就绪耗时</translation>
    </message>
    <message>
        <source>Running for</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>Server name</source>
        <translation>服务器名称</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>argument completion</source>
        <translation>参数补全</translation>
    </message>
    <message>
        <source>logging</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>resources</source>
        <translation>资源</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>A program on your PATH, its full path, or a whole command line.</source>
        <translation>PATH 中的程序、其完整路径，或整行命令。</translation>
    </message>
    <message>
        <source>Add header</source>
        <translation>添加请求头</translation>
    </message>
    <message>
        <source>Add variable</source>
        <translation>添加变量</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Folders for the server</source>
        <translation>给服务器的文件夹</translation>
    </message>
    <message>
        <source>HTTP headers</source>
        <translation>HTTP 请求头</translation>
    </message>
    <message>
        <source>It comes with the app.</source>
        <translation>随应用一起提供。</translation>
    </message>
    <message>
        <source>Its own folders are those above, and those in its arguments. With the network it can reach services of this computer, too. Works on Linux, and was never tried on macOS.</source>
        <translation>自己的文件夹指上面列出的以及参数中的文件夹。可使用网络时，它也能访问本机上的服务。适用于 Linux；在 macOS 上尚未试过。</translation>
    </message>
    <message>
        <source>Leave empty to use the app&apos;s own.</source>
        <translation>留空则使用本应用的工作文件夹。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Log messages from</source>
        <translation>日志消息的最低级别</translation>
    </message>
    <message>
        <source>May touch</source>
        <translation>可访问</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Of all that it starts. CPU needs systemd or a container.</source>
        <translation>包括它启动的所有程序。限制 CPU 需要 systemd 或容器。</translation>
    </message>
    <message>
        <source>One per line, or drop them here. Shared with the server on request (roots).</source>
        <translation>每行一个，或拖放到这里。服务器请求时会提供给它（roots）。</translation>
    </message>
    <message>
        <source>One per line.</source>
        <translation>每行一个。</translation>
    </message>
    <message>
        <source>Shown in its output, and in Logs on the Activity page.</source>
        <translation>显示在其输出中，也显示在“调用记录”页的“日志”中。</translation>
    </message>
    <message>
        <source>Time limit per call</source>
        <translation>工具调用超时</translation>
    </message>
    <message>
        <source>Time limit to connect</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>Working folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>for example: files</source>
        <translation>例如：files</translation>
    </message>
</context>
<context>
    <name>ServerList</name>
    <message>
        <source>Built-in servers</source>
        <translation>内置服务器</translation>
    </message>
    <message>
        <source>Hide those that are off</source>
        <translation>隐藏已停用的</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Show {count} that are off</source>
        <translation>显示已停用的 {count} 个</translation>
    </message>
    <message>
        <source>Your servers</source>
        <translation>我的服务器</translation>
    </message>
</context>
<context>
    <name>ServerNotes</name>
    <message>
        <source>And {count} more.</source>
        <translation>另有 {count} 条。</translation>
    </message>
    <message>
        <source>It belongs to the project {folder} in the other app.</source>
        <translation>在原应用中它属于项目 {folder}。</translation>
    </message>
    <message>
        <source>Name already in use; imported as “{name}”.</source>
        <translation>名称已被使用，将以“{name}”导入。</translation>
    </message>
    <message>
        <source>Name not allowed here; imported as “{name}”.</source>
        <translation>其名称在此不可用，将改为“{name}”。</translation>
    </message>
    <message>
        <source>Nothing stands out.</source>
        <translation>没有需要注意之处。</translation>
    </message>
    <message>
        <source>Same command or address: nothing to import.</source>
        <translation>命令或地址相同：无需导入。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{place}: different secret value</source>
        <translation>{place}：敏感信息的值不同</translation>
    </message>
    <message>
        <source>{place}: yours is {ours}, theirs {theirs}</source>
        <translation>{place}：现有为 {ours}，对方为 {theirs}</translation>
    </message>
</context>
<context>
    <name>ServerTree</name>
    <message>
        <source>Connection</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Servers to import</source>
        <translation>要导入的服务器</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>ServerWords</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>&lt; 1 min</source>
        <translation>不到 1 分钟</translation>
    </message>
    <message>
        <source>Changed address</source>
        <translation>地址已更改</translation>
    </message>
    <message>
        <source>Changed command</source>
        <translation>命令已更改</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Failed, next attempt at {time}</source>
        <translation>失败，将于 {time} 重试</translation>
    </message>
    <message>
        <source>New address</source>
        <translation>新地址</translation>
    </message>
    <message>
        <source>New command</source>
        <translation>新命令</translation>
    </message>
    <message>
        <source>No tools</source>
        <translation>没有工具</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>未启用</translation>
    </message>
    <message>
        <source>Reconnecting, next attempt at {time}</source>
        <translation>正在重新连接，将于 {time} 重试</translation>
    </message>
    <message>
        <source>Reconnecting, {attempt} of {attempts}</source>
        <translation>正在重新连接，第 {attempt}/{attempts} 次</translation>
    </message>
    <message>
        <source>Sign-in needed</source>
        <translation>需要登录</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Starting… {seconds} s</source>
        <translation>正在启动… {seconds} 秒</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Writes to stdout what is no message: {line}</source>
        <translation>stdout 上有不是协议消息的输出：{line}</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days} 天 {hours} 小时</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分钟</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} 分钟</translation>
    </message>
    <message>
        <source>{offered} of 1 tool</source>
        <translation>{offered}/1 个工具</translation>
    </message>
    <message>
        <source>{offered} of {count} tools</source>
        <translation>{offered}/{count} 个工具</translation>
    </message>
    <message>
        <source>{runner} is downloading {package}</source>
        <translation>{runner} 正在下载 {package}</translation>
    </message>
    <message>
        <source>{runner} is preparing {package}</source>
        <translation>{runner} 正在准备 {package}</translation>
    </message>
</context>
<context>
    <name>ServersPage</name>
    <message>
        <source>1 server was added.</source>
        <translation>已添加 1 个服务器。</translation>
    </message>
    <message>
        <source>Add an MCP server (Ctrl+N), or one you copied (Ctrl+V)</source>
        <translation>添加 MCP 服务器（Ctrl+N），或从剪贴板粘贴（Ctrl+V）</translation>
    </message>
    <message>
        <source>Add server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Backup of the file: {path}</source>
        <translation>原文件备份于：{path}</translation>
    </message>
    <message>
        <source>Export your servers to another app, without their secrets</source>
        <translation>将服务器导出到其他应用，不含敏感信息</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Import servers from another app or a file (Ctrl+I)</source>
        <translation>从其他应用或文件导入服务器（Ctrl+I）</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>What you copied is no server.</source>
        <translation>复制的内容不是服务器。</translation>
    </message>
    <message>
        <source>{count} servers were added.</source>
        <translation>已添加 {count} 个服务器。</translation>
    </message>
</context>
<context>
    <name>ServersSummary</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>None switched on</source>
        <translation>均未启用</translation>
    </message>
    <message>
        <source>{connected} of {enabled} connected</source>
        <translation>已连接 {connected}/{enabled}</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
    <message>
        <source>{percent} of {model}</source>
        <translation>{model} 的 {percent}</translation>
    </message>
    <message>
        <source>{tokens} for {model}</source>
        <translation>{tokens}（{model}）</translation>
    </message>
</context>
<context>
    <name>SessionRecording</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Record messages</source>
        <translation>录制消息</translation>
    </message>
    <message>
        <source>Recordings (*.jsonl)</source>
        <translation>录制文件 (*.jsonl)</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Built with:</source>
        <translation>使用的组件：</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置文件</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>For servers without a limit of their own.</source>
        <translation>用于未单独设置超时的服务器。</translation>
    </message>
    <message>
        <source>How long a server may take to start.</source>
        <translation>等待服务器启动的最长时间。</translation>
    </message>
    <message>
        <source>How often a model may be asked in a chat, with its calls in between.</source>
        <translation>在一次提问中可以请求模型的次数，其间包括它的调用。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>没有包含这些词的设置。</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Requests for one question</source>
        <translation>每次提问的请求数</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Takes effect at the next start.</source>
        <translation>下次启动时生效。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Time for one question</source>
        <translation>每次提问的时间</translation>
    </message>
    <message>
        <source>Tool call</source>
        <translation>工具调用超时</translation>
    </message>
    <message>
        <source>When a call needs approval and the window is not in front.</source>
        <translation>有调用等待批准且窗口不在前台时发送通知。</translation>
    </message>
    <message>
        <source>Without the time that you take to approve calls.</source>
        <translation>不包括您审批调用所用的时间。</translation>
    </message>
    <message>
        <source>mcp-desktop {version}, under the MIT licence.</source>
        <translation>mcp-desktop {version}，采用 MIT 许可证。</translation>
    </message>
    <message>
        <source>“System” follows the light or dark mode of your desktop.</source>
        <translation>“跟随系统”会跟随桌面的浅色或深色模式。</translation>
    </message>
</context>
<context>
    <name>SetupButton</name>
    <message>
        <source>Allows all calls</source>
        <translation>允许所有调用</translation>
    </message>
    <message>
        <source>Delete a preset</source>
        <translation>删除预设</translation>
    </message>
    <message>
        <source>Presets, system prompt, approvals and limits</source>
        <translation>预设、系统提示词、批准和限制</translation>
    </message>
    <message>
        <source>Save a preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Setup: {words}</source>
        <translation>设置：{words}</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>System prompt, approvals and limits…</source>
        <translation>系统提示词、批准和限制…</translation>
    </message>
</context>
<context>
    <name>SetupDialog</name>
    <message>
        <source>A conversation keeps the system prompt that it began with.</source>
        <translation>对话保留开始时的系统提示词。</translation>
    </message>
    <message>
        <source>A preset has provider, model, effort, servers and built-in servers of this conversation, too. Tools that can do anything are asked about in any case.</source>
        <translation>预设还包含此对话的提供商、模型、思考强度、服务器和内置服务器。什么都能做的工具无论如何都会询问。</translation>
    </message>
    <message>
        <source>Allow all calls without asking</source>
        <translation>允许所有调用，不再询问</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>工具授权</translation>
    </message>
    <message>
        <source>As decided for each tool</source>
        <translation>按每个工具的决定</translation>
    </message>
    <message>
        <source>Ask about each call</source>
        <translation>每次调用都询问</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Minutes, a question</source>
        <translation>每个问题的分钟数</translation>
    </message>
    <message>
        <source>Name (optional)</source>
        <translation>名称（可选）</translation>
    </message>
    <message>
        <source>Requests to the model, a question</source>
        <translation>每个问题向模型的请求数</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>另存为预设</translation>
    </message>
    <message>
        <source>Setup of the conversation</source>
        <translation>对话的设置</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>What the model is told before the first question</source>
        <translation>在第一个问题之前告诉模型的话</translation>
    </message>
    <message>
        <source>as in the settings</source>
        <translation>与设置相同</translation>
    </message>
</context>
<context>
    <name>ShortcutSheet</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Accept a dialog from inside a text</source>
        <translation>在文本中确认对话框</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>调用记录</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Add the server on the clipboard</source>
        <translation>添加剪贴板中的服务器</translation>
    </message>
    <message>
        <source>Anywhere</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>Cancel the running call</source>
        <translation>取消正在运行的调用</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Close the protocol</source>
        <translation>关闭协议消息</translation>
    </message>
    <message>
        <source>Copy a value or a cell</source>
        <translation>复制值或单元格</translation>
    </message>
    <message>
        <source>Copy the arguments</source>
        <translation>复制参数</translation>
    </message>
    <message>
        <source>Copy the key of a value</source>
        <translation>复制值的键</translation>
    </message>
    <message>
        <source>Copy the path of a value</source>
        <translation>复制值的路径</translation>
    </message>
    <message>
        <source>Copy the process ID</source>
        <translation>复制进程 ID</translation>
    </message>
    <message>
        <source>Delete the conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete the whole history</source>
        <translation>删除全部历史记录</translation>
    </message>
    <message>
        <source>Delete what is selected</source>
        <translation>删除所选内容</translation>
    </message>
    <message>
        <source>Edit the saved call</source>
        <translation>编辑已保存调用</translation>
    </message>
    <message>
        <source>Edit the server</source>
        <translation>编辑服务器</translation>
    </message>
    <message>
        <source>End the process</source>
        <translation>结束进程</translation>
    </message>
    <message>
        <source>Export the calls</source>
        <translation>导出调用</translation>
    </message>
    <message>
        <source>Export what is shown</source>
        <translation>导出显示的内容</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Find a field</source>
        <translation>查找字段</translation>
    </message>
    <message>
        <source>Find a server in the catalogue</source>
        <translation>在 MCP 市场中查找服务器</translation>
    </message>
    <message>
        <source>Find in the result</source>
        <translation>在结果中查找</translation>
    </message>
    <message>
        <source>From a request to its answer and back</source>
        <translation>在请求与其响应之间切换</translation>
    </message>
    <message>
        <source>From the list to the first required field</source>
        <translation>从列表转到第一个必填字段</translation>
    </message>
    <message>
        <source>From the result to the arguments and back</source>
        <translation>在结果与参数之间切换</translation>
    </message>
    <message>
        <source>Go to a tool, server, chat, saved call or action</source>
        <translation>转到工具、服务器、对话、已保存调用或操作</translation>
    </message>
    <message>
        <source>Go to the message</source>
        <translation>转到消息输入框</translation>
    </message>
    <message>
        <source>Go to the requests of servers</source>
        <translation>转到服务器的请求</translation>
    </message>
    <message>
        <source>Go to the server&apos;s details</source>
        <translation>转到服务器的详细信息</translation>
    </message>
    <message>
        <source>History and saved calls</source>
        <translation>历史记录和已保存调用</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>导入服务器</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Make the tool a favourite, or not</source>
        <translation>收藏或取消收藏工具</translation>
    </message>
    <message>
        <source>Minimize the window</source>
        <translation>最小化窗口</translation>
    </message>
    <message>
        <source>Move an item of a list up or down</source>
        <translation>上移或下移列表中的一项</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配项</translation>
    </message>
    <message>
        <source>Next part of a long text</source>
        <translation>长文本的下一部分</translation>
    </message>
    <message>
        <source>Open a page</source>
        <translation>打开页面</translation>
    </message>
    <message>
        <source>Open the past call in its form</source>
        <translation>在表单中打开以前的调用</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Options of a field: null, default, not sent</source>
        <translation>字段的选项：null、默认值、不发送</translation>
    </message>
    <message>
        <source>Paste JSON as arguments</source>
        <translation>将 JSON 粘贴为参数</translation>
    </message>
    <message>
        <source>Paste arguments where no text is edited</source>
        <translation>不在编辑文本时粘贴参数</translation>
    </message>
    <message>
        <source>Pause messages</source>
        <translation>暂停消息</translation>
    </message>
    <message>
        <source>Press the focused button</source>
        <translation>按下获得焦点的按钮</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配项</translation>
    </message>
    <message>
        <source>Previous part of a long text</source>
        <translation>长文本的上一部分</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Put a request aside</source>
        <translation>暂时搁置请求</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Read with what was filled in</source>
        <translation>按填写的内容读取</translation>
    </message>
    <message>
        <source>Refresh the page</source>
        <translation>刷新页面</translation>
    </message>
    <message>
        <source>Remove the server</source>
        <translation>移除服务器</translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Resources and prompts</source>
        <translation>资源和提示词</translation>
    </message>
    <message>
        <source>Restart the server</source>
        <translation>重启服务器</translation>
    </message>
    <message>
        <source>Restart the server of the process</source>
        <translation>重启该进程的服务器</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Review how a result differs from its snapshot</source>
        <translation>检查结果与快照的不同之处</translation>
    </message>
    <message>
        <source>Review the call that needs approval</source>
        <translation>查看需要批准的调用</translation>
    </message>
    <message>
        <source>Run all saved calls</source>
        <translation>运行所有已保存调用</translation>
    </message>
    <message>
        <source>Run the call again</source>
        <translation>重新运行调用</translation>
    </message>
    <message>
        <source>Run the tool</source>
        <translation>运行工具</translation>
    </message>
    <message>
        <source>Save the call</source>
        <translation>保存调用</translation>
    </message>
    <message>
        <source>Save the past call</source>
        <translation>保存以前的调用</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>搜索历史记录</translation>
    </message>
    <message>
        <source>Search the list</source>
        <translation>搜索列表</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>搜索工具</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Show earlier calls of the tool</source>
        <translation>显示该工具以前的调用</translation>
    </message>
    <message>
        <source>Show keyboard shortcuts</source>
        <translation>显示键盘快捷键</translation>
    </message>
    <message>
        <source>Show or hide the protocol</source>
        <translation>显示或隐藏协议消息</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Stop the running saved calls</source>
        <translation>停止正在运行的已保存调用</translation>
    </message>
    <message>
        <source>Switch between form and JSON</source>
        <translation>在表单和 JSON 之间切换</translation>
    </message>
    <message>
        <source>Switch the server on or off</source>
        <translation>启用或停用服务器</translation>
    </message>
    <message>
        <source>Text of the usual size</source>
        <translation>恢复文字大小</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>SignInSteps</name>
    <message>
        <source>Back from the browser</source>
        <translation>从浏览器返回</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Get the tokens</source>
        <translation>获取 token</translation>
    </message>
    <message>
        <source>Metadata of the server</source>
        <translation>服务器的元数据</translation>
    </message>
    <message>
        <source>Metadata of the sign-in</source>
        <translation>登录服务的元数据</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>已收到</translation>
    </message>
    <message>
        <source>Register this app</source>
        <translation>注册此应用</translation>
    </message>
    <message>
        <source>Request a device code</source>
        <translation>请求设备代码</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>Sign-in page</source>
        <translation>登录页面</translation>
    </message>
    <message>
        <source>The server refused</source>
        <translation>服务器拒绝</translation>
    </message>
</context>
<context>
    <name>SignInStepsDialog</name>
    <message>
        <source>Answer</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Sign-in to “{name}”</source>
        <translation>登录“{name}”</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps of the sign-in</source>
        <translation>登录的步骤</translation>
    </message>
    <message>
        <source>The chosen step</source>
        <translation>所选步骤</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>耗时</translation>
    </message>
</context>
<context>
    <name>SignInView</name>
    <message>
        <source>Another account…</source>
        <translation>其他账号…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Delete the tokens and revoke them</source>
        <translation>删除并吊销 token</translation>
    </message>
    <message>
        <source>Each request and answer, and what was expected</source>
        <translation>每个请求和响应，以及预期的内容</translation>
    </message>
    <message>
        <source>Finishing the sign-in…</source>
        <translation>正在完成登录…</translation>
    </message>
    <message>
        <source>It needs more permissions.</source>
        <translation>它需要更多权限。</translation>
    </message>
    <message>
        <source>Looking for the sign-in page…</source>
        <translation>正在查找登录页面…</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the address and open it yourself.</source>
        <translation>无法启动浏览器。请复制地址并自行打开。</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>再次打开</translation>
    </message>
    <message>
        <source>Open browser</source>
        <translation>打开浏览器</translation>
    </message>
    <message>
        <source>Sign in at {host}. The page opens in your browser.</source>
        <translation>您将在 {host} 登录。其页面会在浏览器中打开。</translation>
    </message>
    <message>
        <source>Sign in…</source>
        <translation>登录…</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Signed in at {host}.</source>
        <translation>已在 {host} 登录。</translation>
    </message>
    <message>
        <source>Signed in for this run only: {problem}</source>
        <translation>此登录仅在本次运行期间有效：{problem}</translation>
    </message>
    <message>
        <source>Steps…</source>
        <translation>步骤…</translation>
    </message>
    <message>
        <source>To sign in with another browser on this computer</source>
        <translation>用本机的另一个浏览器登录</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Waiting for your sign-in at {host}, until {time}.</source>
        <translation>正在等待您在 {host} 登录，截止到 {time}。</translation>
    </message>
</context>
<context>
    <name>SnapshotReview</name>
    <message>
        <source>1 snapshot is used by no saved call any more.</source>
        <translation>有 1 个快照已无调用使用。</translation>
    </message>
    <message>
        <source>Accept new result</source>
        <translation>接受新结果</translation>
    </message>
    <message>
        <source>Accept the new result of “{name}”?</source>
        <translation>接受“{name}”的新结果吗？</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete 1 snapshot?</source>
        <translation>删除 1 个快照？</translation>
    </message>
    <message>
        <source>Delete {count} snapshots?</source>
        <translation>删除 {count} 个快照？</translation>
    </message>
    <message>
        <source>Deleting snapshots</source>
        <translation>正在删除快照</translation>
    </message>
    <message>
        <source>Files that are deleted</source>
        <translation>将被删除的文件</translation>
    </message>
    <message>
        <source>Later results are compared with it. It is kept in {file}.</source>
        <translation>以后的结果会与它对比。它保存在 {file} 中。</translation>
    </message>
    <message>
        <source>Remove snapshots</source>
        <translation>移除快照</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Review snapshot</source>
        <translation>检查快照</translation>
    </message>
    <message>
        <source>Take this result of “{name}” as its snapshot?</source>
        <translation>将“{name}”的此结果作为快照吗？</translation>
    </message>
    <message>
        <source>Their saved calls were deleted or renamed, or expect no snapshot any more.</source>
        <translation>对应的调用已删除、改名或不再使用快照。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Writing the snapshot</source>
        <translation>写入快照</translation>
    </message>
    <message>
        <source>{count} snapshots are used by no saved call any more.</source>
        <translation>有 {count} 个快照已无调用使用。</translation>
    </message>
    <message>
        <source>… and {count} more files</source>
        <translation>… 另有 {count} 个文件</translation>
    </message>
</context>
<context>
    <name>SourceList</name>
    <message>
        <source>Import from</source>
        <translation>导入来源</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Sent without validation</source>
        <translation>未经验证即发送</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>The arguments were not validated.</source>
        <translation>参数未经验证。</translation>
    </message>
</context>
<context>
    <name>StderrView</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the output</source>
        <translation>复制输出</translation>
    </message>
    <message>
        <source>Nothing written to stderr yet.</source>
        <translation>stderr 尚无输出。</translation>
    </message>
    <message>
        <source>Open log file</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>Output of the server (stderr)</source>
        <translation>服务器输出（stderr）</translation>
    </message>
</context>
<context>
    <name>StepsView</name>
    <message>
        <source>1 more progress update</source>
        <translation>另有 1 次进度</translation>
    </message>
    <message>
        <source>At</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps of the call</source>
        <translation>调用的步骤</translation>
    </message>
    <message>
        <source>{count} more progress updates</source>
        <translation>另有 {count} 次进度</translation>
    </message>
</context>
<context>
    <name>StorageRow</name>
    <message>
        <source>1 day</source>
        <translation>1 天</translation>
    </message>
    <message>
        <source>1 file now</source>
        <translation>现有 1 个文件</translation>
    </message>
    <message>
        <source>1 removed for its age</source>
        <translation>已因过期删除 1 个</translation>
    </message>
    <message>
        <source>Change limits…</source>
        <translation>更改上限…</translation>
    </message>
    <message>
        <source>Delete: {kind}…</source>
        <translation>删除：{kind}…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>For ever</source>
        <translation>永久</translation>
    </message>
    <message>
        <source>Keep for: {kind}</source>
        <translation>保留时间：{kind}</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open the folder of: {kind}</source>
        <translation>打开文件夹：{kind}</translation>
    </message>
    <message>
        <source>{count} days</source>
        <translation>{count} 天</translation>
    </message>
    <message>
        <source>{count} files now</source>
        <translation>现有 {count} 个文件</translation>
    </message>
    <message>
        <source>{count} removed for their age</source>
        <translation>已因过期删除 {count} 个</translation>
    </message>
</context>
<context>
    <name>StorageSection</name>
    <message>
        <source>1 day</source>
        <translation>1 天</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>1 is older, {size}, and goes now. This cannot be undone.</source>
        <translation>有 1 个更旧（{size}），将立即删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>1 more could not be deleted.</source>
        <translation>另有 1 个无法删除。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete files</source>
        <translation>删除文件</translation>
    </message>
    <message>
        <source>Delete older ones</source>
        <translation>删除更旧的</translation>
    </message>
    <message>
        <source>Delete “{kind}”?</source>
        <translation>删除“{kind}”？</translation>
    </message>
    <message>
        <source>Deleted 1 call, {size}.</source>
        <translation>已删除 1 次调用，{size}。</translation>
    </message>
    <message>
        <source>Deleted 1 file, {size}.</source>
        <translation>已删除 1 个文件，{size}。</translation>
    </message>
    <message>
        <source>Deleted {count} calls, {size}.</source>
        <translation>已删除 {count} 次调用，{size}。</translation>
    </message>
    <message>
        <source>Deleted {count} files, {size}.</source>
        <translation>已删除 {count} 个文件，{size}。</translation>
    </message>
    <message>
        <source>Deleting files</source>
        <translation>删除文件</translation>
    </message>
    <message>
        <source>Deleting…</source>
        <translation>正在删除…</translation>
    </message>
    <message>
        <source>Keep for</source>
        <translation>保留时间</translation>
    </message>
    <message>
        <source>Keep “{kind}” for {days}?</source>
        <translation>将“{kind}”保留 {days}？</translation>
    </message>
    <message>
        <source>Nothing is stored yet. Calls, chats and logs are counted here.</source>
        <translation>尚未存储任何内容。调用、对话和日志会在此统计。</translation>
    </message>
    <message>
        <source>Reading the sizes</source>
        <translation>读取大小</translation>
    </message>
    <message>
        <source>Reading the sizes…</source>
        <translation>正在读取大小…</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>起始日期</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>There are more files than were counted.</source>
        <translation>还有未统计的文件。</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>{count} are older, {size}, and go now. This cannot be undone.</source>
        <translation>有 {count} 个更旧（{size}），将立即删除。此操作无法撤销。</translation>
    </message>
    <message>
        <source>{count} days</source>
        <translation>{count} 天</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>{count} more could not be deleted.</source>
        <translation>另有 {count} 个无法删除。</translation>
    </message>
    <message>
        <source>{size} in all, in {files}.</source>
        <translation>共 {size}，{files}。</translation>
    </message>
</context>
<context>
    <name>StructuredView</name>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>Not valid JSON; shown as text.</source>
        <translation>不是有效的 JSON，以文本显示。</translation>
    </message>
    <message>
        <source>Read JSON</source>
        <translation>读取 JSON</translation>
    </message>
    <message>
        <source>Read {size} of JSON</source>
        <translation>读取 {size} 的 JSON</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The text as the server sent it</source>
        <translation>服务器发送的原始文本</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
</context>
<context>
    <name>TableView</name>
    <message>
        <source>1 column</source>
        <translation>1 列</translation>
    </message>
    <message>
        <source>1 rare column is not shown</source>
        <translation>1 个少见的列未显示</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>As CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>As Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>As TSV, for a spreadsheet</source>
        <translation>复制为 TSV（用于电子表格）</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Save CSV…</source>
        <translation>保存 CSV…</translation>
    </message>
    <message>
        <source>Sort the table</source>
        <translation>表格排序</translation>
    </message>
    <message>
        <source>Table of the result</source>
        <translation>结果表格</translation>
    </message>
    <message>
        <source>{count} columns</source>
        <translation>{count} 列</translation>
    </message>
    <message>
        <source>{count} rare columns are not shown</source>
        <translation>{count} 个少见的列未显示</translation>
    </message>
    <message>
        <source>{count} rows</source>
        <translation>{count} 行</translation>
    </message>
</context>
<context>
    <name>TaskWords</name>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Input required</source>
        <translation>需要回答</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>进行中</translation>
    </message>
</context>
<context>
    <name>TasksView</name>
    <message>
        <source>Cancel task</source>
        <translation>取消任务</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>更新时间</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>No tasks. Calls that run as tasks appear here while the server keeps them.</source>
        <translation>没有任务。以任务方式运行的调用会在服务器保留期间显示在这里。</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Tasks of the server</source>
        <translation>服务器的任务</translation>
    </message>
</context>
<context>
    <name>TemplateView</name>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
</context>
<context>
    <name>TextArgumentsForm</name>
    <message>
        <source>Missing: {names}</source>
        <translation>还需要：{names}</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Find (Ctrl+F)</source>
        <translation>查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Line numbers</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Monospaced</source>
        <translation>等宽字体</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Text of the result</source>
        <translation>结果文本</translation>
    </message>
    <message>
        <source>Very long lines are wrapped here, but not when copied or saved.</source>
        <translation>过长的行仅在此处折断，复制或保存时不会。</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Which text</source>
        <translation>选择文本</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>自动换行</translation>
    </message>
</context>
<context>
    <name>TokenWords</name>
    <message>
        <source>≈ {count} tokens</source>
        <translation>≈ {count} 个 token</translation>
    </message>
</context>
<context>
    <name>ToolBudgetView</name>
    <message>
        <source>Ask the provider: sends the definitions of the tools, runs no model.</source>
        <translation>询问提供商：只发送工具的定义，不运行模型。</translation>
    </message>
    <message>
        <source>Asking the provider…</source>
        <translation>正在询问提供商…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Count exactly</source>
        <translation>精确计数</translation>
    </message>
    <message>
        <source>Not counted: {reason}</source>
        <translation>未能计数：{reason}</translation>
    </message>
    <message>
        <source>The context window of this model is not known.</source>
        <translation>此模型的上下文窗口大小未知。</translation>
    </message>
    <message>
        <source>Tools by cost</source>
        <translation>按 token 列出工具</translation>
    </message>
    <message>
        <source>Tools, the most expensive first</source>
        <translation>工具，占用最多的在前</translation>
    </message>
    <message>
        <source>{tokens} tokens, counted by {provider} for {model} (estimated: {estimate}).</source>
        <translation>{tokens} 个 token，由 {provider} 为 {model} 计数（估算：{estimate}）。</translation>
    </message>
</context>
<context>
    <name>ToolFilters</name>
    <message>
        <source>All servers</source>
        <translation>全部服务器</translation>
    </message>
    <message>
        <source>Claimed by the server, not verified</source>
        <translation>由服务器声明，未经核实</translation>
    </message>
    <message>
        <source>Destructive</source>
        <translation>破坏性</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Server: {server}</source>
        <translation>服务器：{server}</translation>
    </message>
</context>
<context>
    <name>ToolHeader</name>
    <message>
        <source>Add to favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Author: {value}</source>
        <translation>作者：{value}</translation>
    </message>
    <message>
        <source>Category: {value}</source>
        <translation>类别：{value}</translation>
    </message>
    <message>
        <source>Claimed by the server, not verified</source>
        <translation>由服务器声明，未经核实</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>复制键名</translation>
    </message>
    <message>
        <source>For apps only</source>
        <translation>仅供 MCP 应用使用</translation>
    </message>
    <message>
        <source>Invalid declaration: {problems}</source>
        <translation>声明无效：{problems}</translation>
    </message>
    <message>
        <source>MCP App: {value}</source>
        <translation>MCP 应用：{value}</translation>
    </message>
    <message>
        <source>Only MCP Apps of the same server can call it; no model is offered it</source>
        <translation>只有同一服务器的 MCP 应用可以调用；不会提供给任何模型</translation>
    </message>
    <message>
        <source>Remove from favourites</source>
        <translation>取消收藏</translation>
    </message>
    <message>
        <source>Tags: {value}</source>
        <translation>标签：{value}</translation>
    </message>
    <message>
        <source>Version: {value}</source>
        <translation>版本：{value}</translation>
    </message>
</context>
<context>
    <name>ToolList</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>Add or switch on a server</source>
        <translation>添加或启用服务器</translation>
    </message>
    <message>
        <source>Every word must match the name, title, description or server.</source>
        <translation>每个词都必须出现在名称、标题、说明或服务器名中。</translation>
    </message>
    <message>
        <source>No tools yet</source>
        <translation>还没有工具</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>搜索工具</translation>
    </message>
    <message>
        <source>Show all tools</source>
        <translation>显示所有工具</translation>
    </message>
    <message>
        <source>Shown for “{meant}”</source>
        <translation>已按“{meant}”显示</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Tools appear here once a connected server offers some.</source>
        <translation>连接服务器后，工具会显示在这里。</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
    <message>
        <source>{shown} of 1 tool</source>
        <translation>{shown}/1 个工具</translation>
    </message>
    <message>
        <source>{shown} of {count} tools</source>
        <translation>{shown}/{count} 个工具</translation>
    </message>
</context>
<context>
    <name>ToolListDelegate</name>
    <message>
        <source>For apps only</source>
        <translation>仅供 MCP 应用使用</translation>
    </message>
    <message>
        <source>destructive</source>
        <translation>破坏性</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
</context>
<context>
    <name>ToolListModel</name>
    <message>
        <source>closed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>open</source>
        <translation>已展开</translation>
    </message>
</context>
<context>
    <name>ToolSections</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
</context>
<context>
    <name>ToolSwitchesView</name>
    <message>
        <source>1 off saves {tokens}</source>
        <translation>停用 1 个，节省 {tokens}</translation>
    </message>
    <message>
        <source>By cost</source>
        <translation>按 token 排序</translation>
    </message>
    <message>
        <source>Filter tools</source>
        <translation>筛选工具</translation>
    </message>
    <message>
        <source>Its tools are listed here once it is connected.</source>
        <translation>连接后，其工具会列在这里。</translation>
    </message>
    <message>
        <source>Switched off: saves {tokens}</source>
        <translation>已停用：节省 {tokens}</translation>
    </message>
    <message>
        <source>The tools that take most tokens first</source>
        <translation>占用 token 最多的工具在前</translation>
    </message>
    <message>
        <source>This server has no tools.</source>
        <translation>此服务器没有工具。</translation>
    </message>
    <message>
        <source>Tools of the server; unchecked ones are not offered</source>
        <translation>服务器的工具；未勾选的不会提供</translation>
    </message>
    <message>
        <source>{count} off save {tokens}</source>
        <translation>停用 {count} 个，节省 {tokens}</translation>
    </message>
    <message>
        <source>{tokens} in every request</source>
        <translation>每次请求占用 {tokens}</translation>
    </message>
</context>
<context>
    <name>ToolTabs</name>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Input and output schema</source>
        <translation>输入与输出 Schema</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>模型看到的内容</translation>
    </message>
</context>
<context>
    <name>ToolView</name>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Ended without a result</source>
        <translation>已结束，但没有结果</translation>
    </message>
    <message>
        <source>Not sent. One thing to correct.</source>
        <translation>未发送：有一处需要更正。</translation>
    </message>
    <message>
        <source>Not sent. {count} things to correct.</source>
        <translation>未发送：有 {count} 处需要更正。</translation>
    </message>
    <message>
        <source>Run {tool}</source>
        <translation>运行 {tool}</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>转到该处</translation>
    </message>
    <message>
        <source>Show the first</source>
        <translation>转到第一处</translation>
    </message>
    <message>
        <source>This tool is currently unavailable: its server is off or no longer offers it. Your input is kept.</source>
        <translation>此工具目前不可用：其服务器未启用，或不再提供它。已填写的内容会保留。</translation>
    </message>
    <message>
        <source>This tool is unavailable: its server is off or no longer offers it. The arguments are kept and can be copied.</source>
        <translation>此工具不可用：其服务器未启用，或不再提供它。参数已保留，可以复制。</translation>
    </message>
</context>
<context>
    <name>ToolsMeter</name>
    <message>
        <source>What these tools take of the model&apos;s context window in every request.</source>
        <translation>这些工具在每次请求中占用的模型上下文窗口。</translation>
    </message>
    <message>
        <source>an estimate</source>
        <translation>估算值</translation>
    </message>
    <message>
        <source>{percent}: much</source>
        <translation>{percent}：较多</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Choose a tool</source>
        <translation>选择一个工具</translation>
    </message>
    <message>
        <source>Its form and results appear here.</source>
        <translation>它的表单和结果会显示在这里。</translation>
    </message>
    <message>
        <source>{server} is starting. The form appears when it is ready.</source>
        <translation>{server} 正在启动。就绪后会显示表单。</translation>
    </message>
</context>
<context>
    <name>ToolsPanel</name>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Built-in servers of this conversation</source>
        <translation>本对话的内置服务器</translation>
    </message>
    <message>
        <source>From selected servers</source>
        <translation>所选服务器</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Selected when the conversation started.</source>
        <translation>在对话开始时选定。</translation>
    </message>
    <message>
        <source>Servers for this conversation only</source>
        <translation>仅供本对话使用的服务器</translation>
    </message>
    <message>
        <source>Servers whose tools the model can use</source>
        <translation>提供工具给模型的服务器</translation>
    </message>
    <message>
        <source>Tools of your servers</source>
        <translation>已添加服务器的工具</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
</context>
<context>
    <name>TransportChoice</name>
    <message>
        <source>Local command (stdio)</source>
        <translation>本地命令（stdio）</translation>
    </message>
    <message>
        <source>URL (SSE, legacy)</source>
        <translation>URL（SSE，旧版）</translation>
    </message>
    <message>
        <source>URL (Streamable HTTP)</source>
        <translation>URL（Streamable HTTP）</translation>
    </message>
</context>
<context>
    <name>TrustDialog</name>
    <message>
        <source>Approve all {count}</source>
        <translation>全部批准（{count}）</translation>
    </message>
    <message>
        <source>Approve and start</source>
        <translation>批准并启动</translation>
    </message>
    <message>
        <source>It was added to the configuration file by hand or by another program. Programs run with all your permissions: read every line in full before you approve.</source>
        <translation>该条目由手动编辑或其他程序写入。程序将拥有您的全部权限，批准前请逐行核对。</translation>
    </message>
    <message>
        <source>Provider {name}</source>
        <translation>提供商 {name}</translation>
    </message>
    <message>
        <source>Review what was configured</source>
        <translation>查看新的配置</translation>
    </message>
    <message>
        <source>{count} entries are new or have changed. Start and reach all of this?</source>
        <translation>{count} 个条目是新增的或已更改。要启动并连接全部内容吗？</translation>
    </message>
    <message>
        <source>“{name}” has changed since you approved it. Start it with this?</source>
        <translation>“{name}”在批准后有改动。按以下内容启动？</translation>
    </message>
    <message>
        <source>“{name}” is new. Start it with this?</source>
        <translation>“{name}”是新增的服务器。按以下内容启动？</translation>
    </message>
</context>
<context>
    <name>TrustPanel</name>
    <message>
        <source>Review and start…</source>
        <translation>查看并启动…</translation>
    </message>
    <message>
        <source>This server has changed since you approved it. It was not started.</source>
        <translation>此服务器在批准后有改动，未启动。</translation>
    </message>
    <message>
        <source>This server is new. It will not start until you approve it.</source>
        <translation>此服务器是新增的，批准后才会启动。</translation>
    </message>
</context>
<context>
    <name>UnionField</name>
    <message>
        <source>Choose the shape of the arguments:</source>
        <translation>这些参数有几种形式，请选择一种：</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
</context>
<context>
    <name>UrlView</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>I&apos;m done</source>
        <translation>已完成，继续</translation>
    </message>
    <message>
        <source>It leads to {host}</source>
        <translation>它指向 {host}</translation>
    </message>
    <message>
        <source>Lets the server continue</source>
        <translation>让服务器继续</translation>
    </message>
    <message>
        <source>No browser could be started. Copy the address and open it yourself.</source>
        <translation>无法启动浏览器。请复制地址并自行打开。</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Programs may interpret this address differently, so it is not opened here.</source>
        <translation>不同程序对此地址的解读可能不同，因此不会在这里打开。</translation>
    </message>
    <message>
        <source>The address</source>
        <translation>该地址</translation>
    </message>
</context>
<context>
    <name>UserCard</name>
    <message>
        <source>Edit and resend</source>
        <translation>编辑并重新发送</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>第 {number} 个版本，共 {count} 个</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>您：{text}</translation>
    </message>
</context>
<context>
    <name>VariableDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Keeping the secrets</source>
        <translation>正在保存敏感信息</translation>
    </message>
    <message>
        <source>Save and start</source>
        <translation>保存并启动</translation>
    </message>
    <message>
        <source>Set {name}</source>
        <translation>设置 {name}</translation>
    </message>
    <message>
        <source>“{server}” requires this secret.</source>
        <translation>“{server}”需要此项敏感信息。</translation>
    </message>
    <message>
        <source>“{server}” requires this variable. Only this server receives it.</source>
        <translation>“{server}”需要这个变量，只有这个服务器会收到它。</translation>
    </message>
</context>
<context>
    <name>WelcomeView</name>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Bring your servers</source>
        <translation>导入已有的服务器</translation>
    </message>
    <message>
        <source>Copy its command, its address or the JSON from its README, and press Ctrl+V here.</source>
        <translation>复制其命令、地址或 README 中的 JSON，然后在此按 Ctrl+V。</translation>
    </message>
    <message>
        <source>Found on this computer. You review it first; nothing starts.</source>
        <translation>在本机上找到。可以先查看；不会启动任何程序。</translation>
    </message>
    <message>
        <source>From another app&apos;s config file. You review it first; nothing starts.</source>
        <translation>来自其他应用的配置文件。可以先查看；不会启动任何程序。</translation>
    </message>
    <message>
        <source>Import from a file…</source>
        <translation>从文件导入…</translation>
    </message>
    <message>
        <source>Import from {app}, 1 server</source>
        <translation>从 {app} 导入，1 个服务器</translation>
    </message>
    <message>
        <source>Import from {app}, {count} servers</source>
        <translation>从 {app} 导入，{count} 个服务器</translation>
    </message>
    <message>
        <source>Looking for other apps with MCP servers on this computer…</source>
        <translation>正在本机上查找带有 MCP 服务器的其他应用…</translation>
    </message>
    <message>
        <source>MCP servers provide tools for you and your models. Choose how to start:</source>
        <translation>MCP 服务器为您和模型提供工具。请选择开始的方式：</translation>
    </message>
    <message>
        <source>Other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>The built-in calculator needs no setup. Its form opens filled in: press Run.</source>
        <translation>内置计算器无需设置。表单会自动填好，按“运行”即可。</translation>
    </message>
    <message>
        <source>Try a tool now</source>
        <translation>立即试用工具</translation>
    </message>
    <message>
        <source>Try the built-in calculator</source>
        <translation>试用内置计算器</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>{app} ({count})</source>
        <translation>{app}（{count}）</translation>
    </message>
    <message>
        <source>{count} more…</source>
        <translation>其他 {count} 个…</translation>
    </message>
</context>
<context>
    <name>_CalmBox</name>
    <message>
        <source>No choice has “{typed}”</source>
        <translation>没有包含“{typed}”的选项</translation>
    </message>
</context>
<context>
    <name>_Drops</name>
    <message>
        <source>Drop it here to add the server</source>
        <translation>拖放到此处以添加服务器</translation>
    </message>
</context>
<context>
    <name>_Ended</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>No answer in time; “{server}” was notified.</source>
        <translation>未及时回答；已通知“{server}”。</translation>
    </message>
    <message>
        <source>“{server}” no longer waits for an answer.</source>
        <translation>“{server}”不再等待回答。</translation>
    </message>
</context>
</TS>

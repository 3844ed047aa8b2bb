// Serves one model as llama-server does, as far as a chat needs it, over the engine of node-llama-cpp.
//
//   node server.mjs ENGINE MODEL.gguf CONTEXT     prints its port once it listens on 127.0.0.1
//
// ENGINE is the folder node_modules/node-llama-cpp. It takes GET /v1/models and /props, and POST
// /v1/chat/completions with text alone, streamed or whole, and with a `json_schema` that the answer
// is held to. Tools are ignored, as llama-server does where the template has no room for them.
import http from "node:http";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const [engine, modelPath, contextSize] = process.argv.slice(2);
const {getLlama, LlamaCompletion, LlamaLogLevel} = await import(pathToFileURL(join(engine, "dist/index.js")).href);

// One thread: two of them spin where other work waits for the same cores.
const llama = await getLlama({gpu: false, build: "never", maxThreads: 1, logLevel: LlamaLogLevel.error});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: Number(contextSize), threads: 1});
const completion = new LlamaCompletion({contextSequence: context.getSequence()});
const NAME = "smollm2", ROOM = 16, LONGEST = 256;

class Refusal extends Error {
    constructor(status, message, more = {}) {
        super(message);
        this.status = status;
        this.body = {error: {code: status, message, type: status < 500 ? "invalid_request_error" : "server_error", ...more}};
    }
}

function wordsOf(content) {
    if (typeof content === "string") return content;
    const parts = content ?? [];
    if (parts.some(part => part.type !== "text"))
        throw new Refusal(500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj");
    return parts.map(part => part.text).join("\n");
}

function tokensOf(messages) {
    const turns = messages.map(({role, content}) => `<|im_start|>${role}\n${wordsOf(content)}<|im_end|>\n`);
    const tokens = model.tokenize(turns.join("") + "<|im_start|>assistant\n", true);
    if (tokens.length + ROOM > contextSize)
        throw new Refusal(400, `request (${tokens.length} tokens) exceeds the available context size (${contextSize} tokens), try increasing it`,
            {type: "exceed_context_size_error", n_prompt_tokens: tokens.length, n_ctx: Number(contextSize)});
    return tokens;
}

async function answer(body, response, signal) {
    const tokens = tokensOf(body.messages), schema = body.response_format?.json_schema?.schema;
    const base = {id: `chatcmpl-${Date.now()}`, created: Math.floor(Date.now() / 1000), model: NAME};
    const send = (choices, more = {}) =>
        response.write(`data: ${JSON.stringify({...base, object: "chat.completion.chunk", choices, ...more})}\n\n`);
    const delta = (value, finish_reason = null) => send([{index: 0, delta: value, finish_reason}]);
    const room = Number(contextSize) - tokens.length;
    let spoken = 0;
    if (body.stream) {
        response.writeHead(200, {"Content-Type": "text/event-stream"});
        delta({role: "assistant", content: null});
    }
    const done = await completion.generateCompletionWithMeta(tokens, {
        grammar: schema && await llama.createGrammarForJsonSchema(schema),
        maxTokens: Math.min(body.max_tokens ?? LONGEST, room), temperature: 0, disableContextShift: true,
        signal, customStopTriggers: ["<|im_end|>"],
        onToken: some => { spoken += some.length; },
        onTextChunk: text => body.stream && delta({content: text})
    });
    const finish_reason = done.metadata.stopReason === "maxTokens" ? "length" : "stop";
    const usage = {prompt_tokens: tokens.length, completion_tokens: spoken, total_tokens: tokens.length + spoken};
    if (!body.stream) {
        const message = {role: "assistant", content: done.response};
        return tell(response, 200, {...base, object: "chat.completion", usage, choices: [{index: 0, message, finish_reason}]});
    }
    delta({}, finish_reason);
    if (body.stream_options?.include_usage) send([], {usage});
    response.end("data: [DONE]\n\n");
}

function tell(response, status, body) {
    response.writeHead(status, {"Content-Type": "application/json"});
    response.end(JSON.stringify(body));
}

const DOCUMENTS = {
    "/v1/models": {object: "list", data: [{
        id: NAME, object: "model", created: 0, owned_by: "llamacpp", architecture: {input_modalities: ["text"]},
        meta: {n_ctx: Number(contextSize), n_ctx_train: model.trainContextSize}
    }]},
    "/props": {
        default_generation_settings: {n_ctx: Number(contextSize)}, modalities: {vision: false},
        chat_template_caps: {supports_tools: false, supports_tool_calls: false}
    }
};

let last = Promise.resolve();
const server = http.createServer(async (request, response) => {
    if (request.method === "GET") {
        const found = DOCUMENTS[request.url];
        return tell(response, found ? 200 : 404, found ?? {error: {code: 404, message: "not found"}});
    }
    let text = "";
    for await (const piece of request) text += piece;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    last = last.then(() => answer(JSON.parse(text), response, gone.signal)).catch(error => {
        if (gone.signal.aborted || response.headersSent) return response.end();
        tell(response, error.status ?? 500, error.body ?? {error: {code: 500, message: String(error)}});
    });
});
process.stdin.on("end", () => process.exit()).resume(); // whoever started it is gone
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

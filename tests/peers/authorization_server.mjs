// An authorization server as people run one, with oidc-provider and the login pages that come with
// it (any name and password will do): `authorization_server.mjs PORT RESOURCE`, where RESOURCE is
// the MCP server that it gives tokens for.
import { createRequire } from "node:module";

const [, script, port, resource] = process.argv;
const { default: Provider } = await import(
  createRequire(process.env.MODULES + "/").resolve("oidc-provider")
);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [],
  scopes: ["openid", "offline_access", "greet"],
  clientDefaults: { token_endpoint_auth_method: "none" },
  issueRefreshToken: async () => true,
  pkce: { required: () => true },
  features: {
    deviceFlow: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "greet",
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 300,
      }),
    },
  },
});
provider.listen(Number(port), "127.0.0.1");

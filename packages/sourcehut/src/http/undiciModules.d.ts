/*
 * undici modules that the client imports by file. Importing the package by name would replace the dispatcher of every
 * `fetch` in the process; these files don't.
 */

declare module 'undici/lib/dispatcher/agent.js' {
	import type { Agent } from 'undici';

	const agentClass: typeof Agent;
	export = agentClass;
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
	import type { ProxyAgent } from 'undici';

	const proxyAgentClass: typeof ProxyAgent;
	export = proxyAgentClass;
}

declare module 'undici/lib/dispatcher/pool.js' {
	import type { Pool } from 'undici';

	const poolClass: typeof Pool;
	export = poolClass;
}

declare module 'undici/lib/api/api-connect.js' {
	import type { Dispatcher } from 'undici';

	const connect: Dispatcher['connect'];
	export = connect;
}

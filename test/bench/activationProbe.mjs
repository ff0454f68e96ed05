// Runs in a process of its own: `node activationProbe.mjs <bundle> <package.json>` loads and activates a bundle beside a
// stand-in for `vscode`, and prints what that took, what was registered, which modules came along, and how many
// connections were opened.
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import net from 'node:net';

const require = Module.createRequire(import.meta.url);
const [, , bundle, manifest] = process.argv;

let connections = 0;
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
	connections += 1;
	return connect.apply(this, args);
};

/** What is made or registered can be told anything, and does nothing. */
const made = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => undefined), set: () => true });

/** Names of what was registered or created, such as `commands.registerCommand forge.tickets.open`. */
const registered = [];

/**
 * An object that makes its members as they are asked for, each once, so that later looks cost what they cost in the editor.
 * The members that it makes stand in its prototype: a bundler copies a module's own members, which nobody can list here,
 * and keeps its prototype.
 */
const answering = (memberOf) =>
	Object.create(
		new Proxy(
			{},
			{
				get(_, name, asked) {
					const value = typeof name === 'string' ? memberOf(name) : undefined;
					Object.defineProperty(asked, name, { value });
					return value;
				},
			},
		),
	);

/** `vscode.window` and the like: registers, creates and listens to anything; every value is missing. */
const namespaceOf = (space) =>
	answering((member) => {
		if (!/^(?:register|create|on[A-Z])/.test(member)) {
			return undefined;
		}
		return (first) => {
			registered.push(typeof first === 'string' ? `${space}.${member} ${first}` : `${space}.${member}`);
			return made;
		};
	});

/** `vscode.EventEmitter` and the like: a class whose instances do nothing, and an enumeration without members. */
const classOf = () =>
	class {
		event = () => made;
		fire() {}
		dispose() {}
	};

const members = new Map();
const vscode = answering((name) => {
	if (name === '__esModule' || name === 'then') {
		return undefined;
	}
	if (!members.has(name)) {
		members.set(name, /^[A-Z]/.test(name) ? classOf() : namespaceOf(name));
	}
	return members.get(name);
});
const load = Module._load;
Module._load = function (request, ...rest) {
	return request === 'vscode' ? vscode : load.call(this, request, ...rest);
};
const memory = { get: () => undefined };
const context = {
	subscriptions: [],
	extensionUri: {},
	globalState: memory,
	workspaceState: memory,
	secrets: namespaceOf('secrets'),
	extension: { packageJSON: JSON.parse(readFileSync(manifest, 'utf8')) },
};
const before = new Set(process.moduleLoadList);
const start = process.hrtime.bigint();
const extension = require(bundle);
extension.activate(context);
const ms = Number(process.hrtime.bigint() - start) / 1e6;
const modules = [
	...process.moduleLoadList.filter((name) => !before.has(name)),
	...Object.keys(require.cache).map((file) => file.split(/[\\/]/).at(-1)),
];
console.log(JSON.stringify({ ms, modules, connections, registered }));

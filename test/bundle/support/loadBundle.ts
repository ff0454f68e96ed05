import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../harness/places.ts';

const loaded = v.object({
	sameFetch: v.boolean(),
	dispatchers: v.array(v.boolean()),
	bundles: v.array(v.string()),
	builtins: v.array(v.string()),
	registered: v.number(),
	connections: v.number(),
});

/**
 * The effects of loading a bundle, and activating it if possible, on a fresh process. `bundles` excludes chunks;
 * `builtins` are the imported modules of Node.
 */
export type Loaded = v.InferOutput<typeof loaded>;

/** Runs in the fresh process. The stub of `vscode` exports every name that a bundle uses. */
const script = `
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
globalThis.anything = () => new Proxy(function () {}, {
	get: (target, name) => (name === 'prototype' || typeof name === 'symbol' ? target[name] : anything()),
	apply: () => anything(),
	construct: () => ({}),
});
const [bundle, manifest] = process.argv.slice(1);
const names = new Set(Array.from(readFileSync(bundle, 'utf8').matchAll(/\\bvscode\\d*\\.(\\w+)/g), ([, name]) => name));
const standIn = Array.from(names, (name) => 'export const ' + name + ' = anything();').join('\\n');
const [bundles, builtins] = [[], []];
registerHooks({
	resolve: (name, context, next) =>
		name === 'vscode' ? { url: 'stand-in:vscode', shortCircuit: true } : next(name, context),
	load(url, context, next) {
		if (url === 'stand-in:vscode') {
			return { format: 'module', source: standIn, shortCircuit: true };
		}
		if (url.startsWith('file:') && !basename(url).startsWith('chunk-')) {
			bundles.push(basename(url));
		}
		if (url.startsWith('node:')) {
			builtins.push(url);
		}
		return next(url, context);
	},
});
const before = globalThis.fetch;
let connections = 0;
Socket.prototype.connect = () => { connections += 1; };
const memory = { get: () => undefined };
const context = {
	subscriptions: [],
	globalState: memory,
	workspaceState: memory,
	secrets: anything(),
	extension: { packageJSON: JSON.parse(readFileSync(manifest, 'utf8')) },
};
const { activate } = await import(pathToFileURL(bundle));
activate?.(context);
console.log(JSON.stringify({
	sameFetch: globalThis.fetch === before,
	dispatchers: ['1', '2'].map((n) => globalThis[Symbol.for('undici.globalDispatcher.' + n)] !== undefined),
	bundles,
	builtins,
	registered: context.subscriptions.length,
	connections,
}));
`;

/** Loads a bundle of dist in a separate process. */
export function loadBundle(name: string): Loaded {
	const args = ['--input-type=module', '-e', script, join(root, 'dist', name), join(root, 'package.json')];
	return v.parse(loaded, JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })));
}

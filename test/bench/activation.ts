import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../harness/places.ts';
import { comparisonOf, type Comparison } from './interleaved.ts';

const measured = v.object({ ms: v.number(), modules: v.array(v.string()), connections: v.number() });
export type Activation = v.InferOutput<typeof measured>;

/** What an activation brings with it besides time. */
export interface ActivationResult {
	readonly comparison: Comparison;
	/** Network modules of Node or undici that were loaded. */
	readonly networkModules: readonly string[];
	/** Connections that were opened. */
	readonly connections: number;
}

/** Runs in a process of its own: loads and activates the named bundle beside a stand-in for `vscode`. */
const probe = `
const Module = require('node:module');
const net = require('node:net');
let connections = 0;
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) { connections += 1; return connect.apply(this, args); };
const disposable = { dispose() {} };
class EventEmitter { constructor() { this.event = () => disposable; } fire() {} dispose() {} }
class Disposable { dispose() {} }
const anything = () => disposable;
const vscode = {
	EventEmitter, Disposable,
	workspace: {
		registerFileSystemProvider: anything, registerTextDocumentContentProvider: anything,
		onDidChangeConfiguration: anything,
	},
	authentication: { registerAuthenticationProvider: anything },
	window: { createTreeView: anything, registerWebviewPanelSerializer: anything, registerFileDecorationProvider: anything },
	commands: { registerCommand: anything },
	languages: {
		registerCodeActionsProvider: anything, registerDocumentLinkProvider: anything,
		registerHoverProvider: anything, registerCompletionItemProvider: anything,
	},
	lm: { registerTool: anything },
	CodeActionKind: {}, env: {}, Uri: {},
};
const load = Module._load;
Module._load = function (request, ...rest) { return request === 'vscode' ? vscode : load.call(this, request, ...rest); };
const memory = { get: () => undefined };
const context = { subscriptions: [], extensionUri: {}, globalState: memory, workspaceState: memory, secrets: { onDidChange: anything }, extension: { packageJSON: JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8')) } };
const before = new Set(process.moduleLoadList);
const start = process.hrtime.bigint();
const extension = require(process.argv[1]);
extension.activate(context);
const ms = Number(process.hrtime.bigint() - start) / 1e6;
const modules = [
	...process.moduleLoadList.filter((name) => !before.has(name)),
	...Object.keys(require.cache).map((file) => file.split(/[\\\\/]/).at(-1)),
];
console.log(JSON.stringify({ ms, modules, connections }));
`;

function sample(bundle: string): Activation {
	return v.parse(
		measured,
		JSON.parse(execFileSync(process.execPath, ['-e', probe, bundle, join(root, 'package.json')], { encoding: 'utf8' })),
	);
}

/** Loading and activating the packaged entry against an extension that does nothing, a fresh process per sample. */
export function activation(rounds: number): ActivationResult {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	const empty = join(folder, 'empty.cjs');
	writeFileSync(empty, "'use strict';\nexports.activate = () => undefined;\n");
	const own = join(root, 'dist/extension.cjs');
	try {
		const mine = new Array<number>();
		const theirs = new Array<number>();
		for (let round = -2; round < rounds; round++) {
			const baseline = sample(empty).ms;
			const ours = sample(own).ms;
			if (round >= 0) {
				theirs.push(baseline);
				mine.push(ours);
			}
		}
		const { modules, connections } = sample(own);
		return {
			comparison: comparisonOf(mine, theirs),
			networkModules: modules.filter((name) =>
				/undici|^NativeModule (?:net|tls|http|https|http2|dns)$|net\.cjs/.test(name),
			),
			connections,
		};
	} finally {
		rmSync(folder, { recursive: true });
	}
}

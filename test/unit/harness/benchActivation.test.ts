import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../harness/places.ts';

/** Activates an extension of these lines beside the stand-in for the editor. */
function activated(...lines: readonly string[]): { readonly status: number | null; readonly output: string } {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-activation-'));
	try {
		const bundle = join(folder, 'bundle.cjs');
		writeFileSync(bundle, ["'use strict';", "const vscode = require('vscode');", ...lines].join('\n'));
		const probe = join(root, 'test/bench/activationProbe.mjs');
		const { status, stdout, stderr } = spawnSync(process.execPath, [probe, bundle, join(root, 'package.json')], {
			encoding: 'utf8',
		});
		return { status, output: stdout + stderr };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

suite('the stand-in for the editor in which activation is measured', () => {
	test('takes whatever an editor can register, create or tell, and notes it', () => {
		const { status, output } = activated(
			'exports.activate = (context) => {',
			"	context.subscriptions.push(vscode.window.registerSomethingNew('a'), vscode.newSpace.createThing('b'));",
			'	vscode.workspace.onDidSomething(() => {}).dispose();',
			"	vscode.window.createStatusBarItem('c').show();",
			'	class Kind extends vscode.NewKind {}',
			'	new Kind().dispose();',
			'	new vscode.EventEmitter().event(() => {}).dispose();',
			'};',
		);
		assert.equal(status, 0, output);
		assert.match(
			output,
			/"registered":\["window\.registerSomethingNew a","newSpace\.createThing b","workspace\.onDidSomething","window\.createStatusBarItem c"\]/,
		);
	});

	test('answers in the same way when a bundler copied its members', () => {
		const { status, output } = activated(
			'const copied = Object.create(Object.getPrototypeOf(vscode));',
			'for (const name of Object.getOwnPropertyNames(vscode)) { copied[name] = vscode[name]; }',
			"exports.activate = () => copied.commands.registerCommand('a', () => {});",
		);
		assert.equal(status, 0, output);
		assert.match(output, /"registered":\["commands\.registerCommand a"\]/);
	});

	test('knows nothing else, so an extension that needs more at its start fails', () => {
		assert.match(
			activated('exports.activate = () => vscode.workspace.getConfiguration();').output,
			/is not a function/,
		);
		assert.equal(activated('exports.activate = () => { throw new Error(); };').status, 1);
	});

	test('counts connections and names modules that came along', () => {
		const { output } = activated(
			"exports.activate = () => { require('node:net').connect(1, '127.0.0.1').on('error', () => {}); require('node:https'); };",
		);
		assert.match(output, /NativeModule https/);
		assert.match(output, /"connections":1/);
	});
});

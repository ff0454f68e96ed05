import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { FarJson } from '../../base/farJson.ts';
import type { GitReads } from '../../forge/port/gitReads.ts';
import type { Net } from '../../net.ts';
import { transportSettings } from './transport.ts';

/**
 * Lazily loads the network's bundle and reads its settings. As with the editor's own proxy settings, changes need a new
 * window.
 */
export function network(clock: Clock, version: string, farJson: FarJson, git: GitReads) {
	let opening: Promise<Net> | undefined;
	async function load(): Promise<Net> {
		const { openNet } = await import('../../net.ts');
		const settings = vscode.workspace.getConfiguration();
		const transport = transportSettings(
			// Ignore workspace settings: a hostile workspace could redirect tokens through its proxy.
			{ get: (key) => settings.inspect<unknown>(key)?.globalValue ?? settings.inspect<unknown>(key)?.defaultValue },
			process.env,
			version,
		);
		return openNet({ transport, clock, random: Math.random, farJson, git });
	}
	return {
		open() {
			opening ??= load();
			return opening;
		},
		dispose() {
			void opening?.then((net) => net.close()).catch(() => undefined);
		},
	};
}

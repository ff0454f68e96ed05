import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { FarJson } from '../../base/farJson.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { GitReads } from '../../forge/gitReads.ts';
import type { Net } from '../../net.ts';
import { transportSettings } from './transport.ts';

/** The network, opened on first use. */
export interface Network extends Disposable {
	open(): Promise<Net>;
}

export interface NetworkParts {
	readonly clock: Clock;
	readonly version: string;
	readonly farJson: FarJson;
	readonly git: GitReads;
}

/**
 * Loads the network's bundle when it is first asked for. The transport's settings are read then; changed ones hold from
 * the next window on, as the editor's own proxy settings do for its extensions.
 */
export function network({ clock, version, farJson, git }: NetworkParts): Network {
	let opening: Promise<Net> | undefined;
	async function load(): Promise<Net> {
		const { openNet } = await import('../../net.ts');
		const settings = vscode.workspace.getConfiguration();
		const transport = transportSettings(
			// What a workspace says of the proxy is not asked: it would see the tokens' way.
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

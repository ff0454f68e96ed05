import type * as vscode from 'vscode';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { Connection } from '../../store/connection.ts';
import type { Listening, ListeningRequest } from '../../store/listening/listening.ts';
import { readPublicAddress } from '../../store/listening/publicAddress.ts';

const section = 'forge';
const area = 'webhooks';

export type WebhookSettings = ReturnType<typeof webhookSettings>;

type Workspace = Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>;

/**
 * The editor's settings; values may have any type and workspaces can't set them. Settings for ports and addresses have
 * the scope `machine`, so Settings Sync leaves them out.
 */
export function webhookSettings(workspace: Workspace) {
	const read = (key: string): unknown => workspace.getConfiguration(section).get<unknown>(`${area}.${key}`);
	const write = async (key: string, value: unknown): Promise<void> =>
		// `true` writes user settings, or in a remote window the remote machine's settings.
		workspace.getConfiguration(section).update(`${area}.${key}`, value, true);
	return {
		current(): ListeningRequest {
			const port = read('port');
			const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535;
			return {
				isOn: read('receive') === true,
				port: isPort ? port : 0,
				address: textOf(read('listenAddress')) || '127.0.0.1',
				publicAddress: readPublicAddress(read('publicAddress')),
			};
		},
		setOn: (isOn: boolean) => write('receive', isOn),
		setPublicAddress: (address: string) => write('publicAddress', address),
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${area}`)) {
					listener();
				}
			}),
	};
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

/** The used part of an account. */
export type WebhookAccount = Pick<Connection, 'me' | 'instance' | 'webhooks'>;

export interface WebhookContext {
	readonly connections: { all(): readonly WebhookAccount[] };
	readonly listening: Listening;
	readonly settings: WebhookSettings;
	readonly problems: Problems;
	readonly clock: Clock;
}

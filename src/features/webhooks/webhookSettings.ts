import type * as vscode from 'vscode';
import type { ListeningSettings } from '../../state/listening/listening.ts';
import { readPublicAddress } from '../../state/listening/publicAddress.ts';

const section = 'forge';
const area = 'webhooks';

/** The settings of the listener for webhooks, and what commands write into them. */
export interface WebhookSettings extends ListeningSettings {
	setOn(isOn: boolean): Promise<void>;
	setPublicAddress(address: string): Promise<void>;
}

type Workspace = Pick<typeof vscode.workspace, 'getConfiguration' | 'onDidChangeConfiguration'>;

/**
 * The editor's own settings, which may hold anything. None of them can be set by a workspace. What opens a port, and where,
 * has the scope `machine`: each computer has its own, and no other one gets it by Settings Sync.
 */
export function webhookSettings(workspace: Workspace): WebhookSettings {
	const read = (key: string): unknown => workspace.getConfiguration(section).get<unknown>(`${area}.${key}`);
	const write = async (key: string, value: unknown): Promise<void> =>
		// `true`: the user's settings; in a window that is connected to another computer, for these those of that computer.
		workspace.getConfiguration(section).update(`${area}.${key}`, value, true);
	return {
		wish: () => ({
			isOn: read('receive') === true,
			port: portOf(read('port')),
			address: textOf(read('listenAddress')) || '127.0.0.1',
			publicAddress: readPublicAddress(read('publicAddress')),
			pushMessage: textOf(read('pushMessage')),
		}),
		setOn: (isOn) => write('receive', isOn),
		setPublicAddress: (address) => write('publicAddress', address),
		onDidChange: (listener) =>
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

function portOf(value: unknown): number {
	return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 65_535 ? value : 0;
}

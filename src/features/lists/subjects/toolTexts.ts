import * as vscode from 'vscode';
import { toolStates, type Patchset, type ToolState } from '../../../forge/port/list.ts';
import { spelled } from '../../../forge/port/word.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

/** Most urgent first. */
const byWeight: readonly ToolState[] = ['failed', 'pending', 'waiting', 'cancelled', 'success'];

/** Text about the most urgent tool of a patchset; empty without tools. */
export function toolsWords({ tools = [] }: Patchset): readonly string[] {
	const states = tools.map(({ state }) => state);
	const unknown = states.find((state) => !toolStates.some((known) => known === state));
	const heaviest = byWeight.find((state) => states.includes(state));
	const told = heaviest === 'failed' ? heaviest : (unknown ?? heaviest);
	return told === undefined ? [] : [toolText(told)];
}

/** State of a tool. Unknown states keep the server's word. */
export function toolText(state: ToolState): string {
	switch (state) {
		case 'pending':
			return vscode.l10n.t('CI pending');
		case 'waiting':
			return vscode.l10n.t('CI waiting');
		case 'success':
			return vscode.l10n.t('CI passed');
		case 'failed':
			return vscode.l10n.t('CI failed');
		case 'cancelled':
			return vscode.l10n.t('CI cancelled');
		default:
			return vscode.l10n.t('CI: {0}', visibleLine(spelled(state)));
	}
}

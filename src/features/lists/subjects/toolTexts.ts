import * as vscode from 'vscode';
import { toolStates, type Patchset, type ToolState } from '../../../forge/list.ts';
import { spelled } from '../../../forge/word.ts';
import { visibleLine } from '../../../text/visible.ts';

/** What most wants to be looked at comes first. */
const byWeight: readonly ToolState[] = ['failed', 'pending', 'waiting', 'cancelled', 'success'];

/** What the tools of a patchset say together, as the one says of which a reader should know; nothing where none does. */
export function toolsWords({ tools = [] }: Patchset): readonly string[] {
	const states = tools.map(({ state }) => state);
	const unknown = states.find((state) => !toolStates.some((known) => known === state));
	const heaviest = byWeight.find((state) => states.includes(state));
	const told = heaviest === 'failed' ? heaviest : (unknown ?? heaviest);
	return told === undefined ? [] : [toolText(told)];
}

/** How a tool stands. Words that this version does not know are shown as the server wrote them. */
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

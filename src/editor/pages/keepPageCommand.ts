import * as vscode from 'vscode';
import { visibleLine } from '../../engine/text/visible.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { CommandTable } from '../commands/feature.ts';
import type { WindowPages } from './pageHost.ts';

/** Keeps the active page open and names it in a message, because its tab looks unchanged. */
export function keepPageCommand(pages: WindowPages): CommandTable {
	return {
		'forge.keepPage': async () => {
			const title = pages.keepInFront();
			tellBriefly(
				title === undefined
					? vscode.l10n.t('No Forge Desk page is open.')
					: vscode.l10n.t('Kept open: {0}', visibleLine(title)),
			);
		},
	};
}

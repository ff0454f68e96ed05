import * as vscode from 'vscode';
import { visibleLine } from '../../text/visible.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { CommandTable } from '../commands/feature.ts';
import type { WindowPages } from './pageHost.ts';

/** Keeps the page in front open, and says which that is: its tab looks as before. */
export function keepPageCommand(pages: Pick<WindowPages, 'keepInFront'>): CommandTable {
	return {
		'forge.keepPage': async () => {
			const title = pages.keepInFront();
			tellBriefly(
				title === undefined
					? vscode.l10n.t('No page is in front.')
					: vscode.l10n.t('Kept open: {0}', visibleLine(title)),
			);
		},
	};
}

import * as vscode from 'vscode';
import { withProgress } from '../../../editor/ask/progress.ts';
import { askNew, tellCreated } from '../../../editor/owned/newOwned.ts';
import { refOfList } from '../../../forge/list.ts';
import type { Connection } from '../../../state/connection.ts';
import { listKind } from '../subjects/listKind.ts';

/** Asks for what a list needs and makes it. */
export async function createList(connection: Connection, signal: AbortSignal): Promise<void> {
	const wanted = await askNew(listKind, connection, signal);
	const list = await withProgress(vscode.l10n.t('Creating…'), signal, (working) =>
		connection.lists.create(wanted, working),
	);
	tellCreated(refOfList(list));
}

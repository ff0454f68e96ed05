import * as vscode from 'vscode';
import { refText, type NamedRef } from '../../forge/port/namedRef.ts';
import type { Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { confirmTyped } from '../ask/confirmTyped.ts';
import { tellBriefly } from '../ask/notify.ts';
import { withProgress } from '../ask/progress.ts';
import type { OwnedKind } from './ownedKind.ts';

/** Shows the consequences, asks for the typed name, and deletes an own thing. False if the forge doesn't support it. */
export async function deleteOwned(
	kind: OwnedKind,
	connection: Connection,
	ref: NamedRef,
	signal: AbortSignal,
): Promise<boolean> {
	const name = visibleLine(refText(ref));
	await confirmTyped({
		exact: refText(ref),
		name,
		deletes: kind.texts.deletes(),
		typeToDelete: kind.texts.typeToDelete(name),
	});
	const isGone = await withProgress(vscode.l10n.t('Deleting…'), signal, (working) =>
		kind.remove(connection, ref, working),
	);
	if (isGone) {
		tellBriefly(vscode.l10n.t('Deleted {0}', name));
	}
	return isGone;
}

import * as vscode from 'vscode';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { subjectOrInFront } from '../subjects/givenSubject.ts';
import { listTarget, patchsetTargets } from '../subjects/listTargets.ts';
import { mailSubject, patchsetSubject } from '../subjects/subjects.ts';
import { rootOf } from '../subjects/mailPlaces.ts';
import type { ListsDesk } from '../parts/listsDesk.ts';

/** Commands for read marks. */
export function markCommands(parts: ListsDesk): CommandTable {
	const { marks } = parts.finder;
	return {
		'forge.lists.markRead': (subject, signal, selected) => change(parts, true, subject, selected, signal),
		'forge.lists.markUnread': (subject, signal, selected) => change(parts, false, subject, selected, signal),
		'forge.lists.markAllRead': async (subject, signal) => {
			const list = await listTarget(parts, subject, signal);
			const connection = connectionOf(parts.connections, list);
			// Load first: only loaded items get marks, and the notice says "all".
			await withProgress(vscode.l10n.t('Loading the list…'), signal, (working) =>
				Promise.all([
					connection.lists.posts(list.ref).first(working),
					connection.lists.patchsets(list.ref).first(working),
				]),
			);
			marks.markAllRead(connection, list.ref);
			const name = visibleLine(refText(list.ref));
			tellBriefly(vscode.l10n.t('Marked all patchsets and threads of {0} as read', name));
		},
	};
}

/** The selected rows, else the document or page in front; asks for a patchset otherwise. */
async function change(
	parts: ListsDesk,
	isRead: boolean,
	subject: unknown,
	selected: readonly unknown[],
	signal: AbortSignal,
): Promise<void> {
	const { marks } = parts.finder;
	const front = subjectOrInFront(parts.pages, subject);
	const all = selected.length > 0 ? selected : [front];
	const mails = all.flatMap((each) => mailSubject(each) ?? []);
	const patchsets =
		mails.length > 0
			? all.flatMap((each) => patchsetSubject(each) ?? [])
			: await patchsetTargets(parts, subject, selected, signal);
	for (const patchset of patchsets) {
		const { ref } = patchset;
		const connection = connectionOf(parts.connections, patchset);
		await connection.lists.patchset(ref, signal);
		if (isRead) {
			marks.lookAtPatchset(connection, ref);
		} else {
			marks.markPatchsetUnread(connection, ref);
		}
	}
	for (const mail of mails) {
		const connection = connectionOf(parts.connections, mail);
		const ref = { list: mail.list, id: await rootOf(connection, mail, signal) };
		if (isRead) {
			marks.lookAtThread(connection, ref, undefined);
		} else {
			marks.markThreadUnread(connection, ref);
		}
	}
}

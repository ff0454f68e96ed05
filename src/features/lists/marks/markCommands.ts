import * as vscode from 'vscode';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ThreadRef } from '../../../store/readMarks/listReadMarks.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { subjectOrInFront } from '../subjects/givenSubject.ts';
import { listTarget, patchsetTargets, type TargetParts } from '../subjects/listTargets.ts';
import { mailSubject, patchsetSubject, type PatchsetSubject } from '../subjects/subjects.ts';
import { rootOf } from '../subjects/rootMail.ts';
import type { ListMarks } from './listMarks.ts';

export interface MarkParts extends TargetParts {
	/** Unread marks. */
	readonly marks: ListMarks;
}

/** Commands for read marks. */
export function markCommands(parts: MarkParts): CommandTable {
	const { marks } = parts;
	return {
		'forge.lists.markRead': (subject, signal, selected) =>
			change(
				parts,
				{ subject, signal, selected },
				{
					patchset: (connection, { ref }) => marks.lookAtPatchset(connection, ref),
					thread: (connection, ref) => marks.lookAtThread(connection, ref, undefined),
				},
			),
		'forge.lists.markUnread': (subject, signal, selected) =>
			change(
				parts,
				{ subject, signal, selected },
				{
					patchset: (connection, { ref }) => marks.markPatchsetUnread(connection, ref),
					thread: (connection, ref) => marks.markThreadUnread(connection, ref),
				},
			),
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

interface Target {
	readonly subject: unknown;
	readonly signal: AbortSignal;
	readonly selected: readonly unknown[];
}

/** Operation per kind of item. */
interface Works {
	readonly patchset: (connection: Connection, subject: PatchsetSubject) => void;
	readonly thread: (connection: Connection, ref: ThreadRef) => void;
}

/** The selected rows, else the document or page in front; asks for a patchset otherwise. */
async function change(parts: TargetParts, { subject, signal, selected }: Target, works: Works): Promise<void> {
	const front = subjectOrInFront(parts.pages, subject);
	const all = selected.length > 0 ? selected : [front];
	const mails = all.flatMap((each) => mailSubject(each) ?? []);
	const patchsets =
		mails.length > 0
			? all.flatMap((each) => patchsetSubject(each) ?? [])
			: await patchsetTargets(parts, subject, selected, signal);
	for (const patchset of patchsets) {
		const connection = connectionOf(parts.connections, patchset);
		await connection.lists.patchset(patchset.ref, signal);
		works.patchset(connection, patchset);
	}
	for (const mail of mails) {
		const connection = connectionOf(parts.connections, mail);
		works.thread(connection, { list: mail.list, id: await rootOf(connection, mail, signal) });
	}
}

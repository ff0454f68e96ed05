import * as vscode from 'vscode';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { titleOfThread } from 'patchmail/series/patchSubject.ts';
import type { ThreadHeadView, ThreadPatchsetView } from '../../../pages/protocol/threadProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { titleOf, statusLook } from '../subjects/words.ts';
import { patchsetIds } from '../subjects/mailPlaces.ts';

/** Maximum of linked patchsets. */
const mostPatchsets = 10;

/** Thread title from the subject of its first mail. */
export function threadTitle(first: ShortEmail | MailSummary | undefined): string {
	return titleOf(titleOfThread(first?.subject ?? ''));
}

/** Head of a thread page, above the mails. */
export function threadHead(
	connection: Connection,
	ref: ThreadRef,
	{ mails, nowMs }: { readonly mails: readonly MailSummary[]; readonly nowMs: () => number },
): ThreadHeadView {
	const first = mails.find(({ id }) => id === ref.id) ?? mails[0];
	const before = connection.lists.threadBefore(ref.list, ref.id);
	return {
		subject: threadTitle(first),
		list: visibleLine(refText(ref.list)),
		counts: mails.length === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', mails.length),
		patchsets: patchsetIds(connection, ref, mails)
			.slice(0, mostPatchsets)
			.map((id) => patchsetView(connection, ref, id)),
		readBefore: before
			? readBeforeText(before.error, agoText(before.readAtMs, nowMs(), 'long'))
			: unsentText(connection.lists.knownThread(ref.list, ref.id) ?? []),
	};
}

function patchsetView({ lists }: Connection, { list }: ThreadRef, id: number): ThreadPatchsetView {
	const patchset = lists.knownPatchset({ list, id });
	if (patchset) {
		return { id, text: patchsetText(patchset) };
	}
	const isFormed = firstMailOfFormed(id) !== undefined;
	return { id, text: isFormed ? vscode.l10n.t('Patchset') : vscode.l10n.t('Patchset {0}', id) };
}

function patchsetText({ version, status }: Patchset): string {
	return vscode.l10n.t('Patchset v{0} · {1}', version, visibleLine(statusLook(status).text));
}

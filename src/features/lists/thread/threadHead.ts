import * as vscode from 'vscode';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { listRefText, type Patchset } from '../../../forge/list.ts';
import { subjectOfThread } from '../../../forge/patchSubject.ts';
import type { ThreadHeadView, ThreadPatchsetView } from '../../../protocol/threadView.ts';
import type { Connection } from '../../../state/connection.ts';
import type { MailGlance } from '../../../state/lists/mailGlance.ts';
import type { ThreadRef } from '../../../state/readMarks/listLooks.ts';
import { visibleLine } from '../../../text/visible.ts';
import { titleOf } from '../tree/mailRows.ts';
import { statusLook } from '../subjects/words.ts';

/** More patchsets of one conversation are not linked. */
const mostPatchsets = 10;

/** A conversation's subject as its title. */
export function threadTitle(first: Pick<MailGlance, 'subject'> | undefined): string {
	return titleOf(subjectOfThread(first?.subject ?? ''));
}

/** What stands above the mails. */
export function threadHead(
	connection: Connection,
	ref: ThreadRef,
	{ mails, nowMs }: { readonly mails: readonly MailGlance[]; readonly nowMs: () => number },
): ThreadHeadView {
	const first = mails.find(({ id }) => id === ref.id) ?? mails[0];
	const before = connection.lists.threadBefore(ref.list, ref.id);
	return {
		subject: threadTitle(first),
		list: visibleLine(listRefText(ref.list)),
		counts: mails.length === 1 ? vscode.l10n.t('1 mail') : vscode.l10n.t('{0} mails', mails.length),
		patchsets: patchsetIds(connection, ref, mails)
			.slice(0, mostPatchsets)
			.map((id) => patchsetView(connection, ref, id)),
		readBefore: before ? readBeforeText(before.error, agoText(before.readAtMs, nowMs(), 'long')) : '',
	};
}

/** Servers that tell the patchset of a mail tell it; else the patchsets that are known tell their mails. */
export function patchsetIds(
	connection: Connection,
	{ list }: ThreadRef,
	mails: readonly MailGlance[],
): readonly number[] {
	const { lists } = connection;
	const told = mails.flatMap(({ patchsetId }) => patchsetId ?? []);
	const messageIds = new Set(mails.map(({ messageId }) => messageId));
	const known = (lists.knownPatchsets(list)?.items ?? [])
		.filter(
			({ messageId, coverLetter }) =>
				messageIds.has(messageId ?? '') || mails.some((mail) => mail.id === coverLetter?.id),
		)
		.map(({ id }) => id);
	return [...new Set([...told, ...known])].toSorted((a, b) => a - b);
}

function patchsetView({ lists }: Connection, { list }: ThreadRef, id: number): ThreadPatchsetView {
	const patchset = lists.knownPatchset({ list, id });
	return { id, text: patchset ? patchsetText(patchset) : vscode.l10n.t('Patchset {0}', id) };
}

function patchsetText({ version, status }: Patchset): string {
	return vscode.l10n.t('Patchset v{0} · {1}', version, visibleLine(statusLook(status).text));
}

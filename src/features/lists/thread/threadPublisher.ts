import { patchsetIds } from '../subjects/mailPlaces.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { pagePieces, type TellingSlice } from '../../../editor/pages/livePage.ts';
import type { ReplyView } from '../../../pages/protocol/mailsProtocol.ts';
import type { ThreadChange, ThreadHeadView } from '../../../pages/protocol/threadProtocol.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import { subjectOfThread, titleOfThread } from 'patchmail/series/patchSubject.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { titleOf, statusOf } from '../subjects/words.ts';

import { MailsPublisher } from './mailsPublisher.ts';

/** Maximum of linked patchsets. */
const mostPatchsets = 10;

/** Thread title from the subject of its first mail. */
export function threadTitle(first: ShortEmail | MailSummary | undefined): string {
	return titleOf(titleOfThread(first?.subject ?? ''));
}

/** Current data of a thread page. */
export interface TellableThread {
	readonly connection: Connection;
	/** All accounts: a pull request may point to another forge. */
	readonly connections: Connections;
	readonly ref: ThreadRef;
	/** Error of the thread as a sentence. */
	readonly failure: string | undefined;
	/** The same of a mail. */
	readonly mailFailure: (id: number) => string | undefined;
	/** Mails with higher numbers are new; `undefined` when none is. */
	readonly lastSeen: number | undefined;
	/** Send this mail first; the user looks at it. */
	readonly target: number | undefined;
	/** Drafts of replies to these mails. */
	readonly replies: (mails: ReadonlySet<number>) => readonly ReplyView[];
}

/** Sends differences to a thread page. */
export class ThreadPublisher {
	readonly #clock: Clock;
	readonly #mails: MailsPublisher;
	readonly #pieces = pagePieces();
	#isHeadDue = true;

	constructor(clock: Clock) {
		this.#clock = clock;
		this.#mails = new MailsPublisher(clock);
	}

	/** The page has forgotten everything. */
	reset(): void {
		this.#mails.reset();
		this.#pieces.forgetAll();
		this.#isHeadDue = true;
	}

	/** Something has changed: the next slice is the first of a row. */
	begin(): void {
		this.#mails.begin();
		this.#isHeadDue = true;
	}

	/** The next slice. */
	next(what: TellableThread): TellingSlice<ThreadChange> {
		const { connection, ref } = what;
		const mails = connection.lists.knownThread(ref.list, ref.id);
		const first = mails?.find(({ id }) => id === ref.id) ?? mails?.[0];
		const head =
			mails && this.#isHeadDue
				? this.#pieces.ifNew('head', threadHead(connection, ref, { mails, nowMs: () => this.#clock.nowMs() }))
				: undefined;
		const { change, goesOn } = this.#mails.next({
			...what,
			mails,
			subject: subjectOfThread(first?.subject ?? ''),
			reading: (id) => connection.texts.known(id)?.reading,
			elsewhere: () => undefined,
		});
		this.#isHeadDue = !goesOn;
		const now = goesOn ? undefined : what.replies(new Set(mails?.map(({ id }) => id)));
		const isAny = now !== undefined && (now.length > 0 || this.#pieces.knows('replies'));
		const replies = isAny ? this.#pieces.ifNew('replies', now) : undefined;
		return { change: head || change || replies ? { head, mails: change, replies } : undefined, goesOn };
	}
}

/** Head of a thread page, above the mails. */
function threadHead(
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
			.map((id) => {
				const patchset = connection.lists.knownPatchset({ list: ref.list, id });
				if (patchset) {
					const status = visibleLine(statusOf(patchset).text);
					const text = vscode.l10n.t('Patchset v{0}', patchset.version);
					return { id, text: status === '' ? text : vscode.l10n.t('Patchset v{0} · {1}', patchset.version, status) };
				}
				return { id, text: isNumbered(id) ? vscode.l10n.t('Patchset {0}', id) : vscode.l10n.t('Patchset') };
			}),
		readBefore: before
			? readBeforeText(before.error, agoText(before.readAtMs, nowMs(), 'long'))
			: unsentText(connection.lists.knownThread(ref.list, ref.id) ?? []),
	};
}

import { patchsetIds } from '../subjects/mailPlaces.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { untilSliceEnds } from '@forge-desk/base/timeSlice.ts';
import { pagePieces, type TellingSlice } from '../../../editor/pages/livePage.ts';
import type {
	MailTextView,
	ThreadChange,
	ThreadHeadView,
	ThreadMailsChange,
	ThreadMailView,
} from '../../../pages/protocol/threadProtocol.ts';
import { pullRequestIn } from 'patchmail/series/pullRequest.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { MailSummary } from '../../../store/lists/mailSummary.ts';
import type { ReadText } from '../../../store/lists/listMailTexts.ts';
import type { ThreadRef } from '../../../store/readMarks/storedReadMarks.ts';
import { subjectOfThread, titleOfThread } from 'patchmail/series/patchSubject.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailContent } from '../mail/mailBlocks.ts';
import { titleOf, statusLook } from '../subjects/words.ts';
import { pullView } from '../mail/pullView.ts';

import { threadOrder, type PlacedMail } from './threadOrder.ts';
import { webOf } from 'sourcehut/web/webOf.ts';

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
}

/** Sent state of a mail. */
interface SentMail {
	readonly frame: string;
	/** Source of the sent text. */
	readonly source: ReadText | string | undefined;
}

type Placed = PlacedMail<MailSummary>;

/** Sends differences to a page: the structure first, then the texts in slices. */
export class ThreadPublisher {
	readonly #clock: Clock;
	readonly #sent = new Map<number, SentMail>();
	#mails: readonly MailSummary[] | undefined;
	#order: readonly Placed[] = [];
	/** Of the conversation. */
	#subject = '';
	readonly #pieces = pagePieces();
	#isWhole = true;
	/** The page expects a further slice. */
	#isOpen = false;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** The page has forgotten everything. */
	reset(): void {
		this.#sent.clear();
		this.#pieces.forgetAll();
		this.#isWhole = true;
		this.#isOpen = false;
	}

	/** The next slice. */
	next(what: TellableThread): TellingSlice<ThreadChange> {
		// The next mail alone may take as long again.
		const isTimeUp = untilSliceEnds(this.#clock);
		const mails = what.connection.lists.knownThread(what.ref.list, what.ref.id);
		if (!mails) {
			// Old content stays visible during a reload.
			if (what.failure === undefined && this.#sent.size > 0) {
				return { change: undefined, goesOn: false };
			}
			const state: ThreadMailsChange =
				what.failure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: what.failure };
			const news = this.#pieces.ifNew('state', state);
			return { change: news && { head: undefined, mails: news }, goesOn: false };
		}
		if (mails !== this.#mails) {
			this.#mails = mails;
			this.#order = threadOrder(mails);
			this.#subject = subjectOfThread((mails.find(({ id }) => id === what.ref.id) ?? mails[0])?.subject ?? '');
		}
		const shown = threadHead(what.connection, what.ref, { mails, nowMs: () => this.#clock.nowMs() });
		const head = this.#pieces.ifNew('head', shown);
		const { change, goesOn } = this.#mailsSlice(what, isTimeUp);
		return { change: head || change ? { head, mails: change } : undefined, goesOn };
	}

	#mailsSlice(what: TellableThread, isTimeUp: () => boolean): TellingSlice<ThreadMailsChange> {
		const put = new Map<number, ThreadMailView>();
		const goesOn = this.#frames(what, put, isTimeUp) || this.#texts(what, put, isTimeUp);
		const ids = this.#order.map(({ mail }) => mail.id);
		const order = this.#pieces.ifNew('order', ids);
		// Also replaces an error or a "loading" message on the page.
		const isNews = this.#pieces.forget('state') || this.#isWhole || put.size > 0 || order !== undefined;
		if (!isNews && (goesOn || !this.#isOpen)) {
			return { change: undefined, goesOn };
		}
		const change: ThreadMailsChange = { kind: 'mails', isWhole: this.#isWhole, order, put: [...put.values()], goesOn };
		this.#isWhole = false;
		this.#isOpen = goesOn;
		return { change, goesOn };
	}

	/** Sender and date of every mail, with a "loading" mark for missing texts. True when the time is up. */
	#frames(what: TellableThread, put: Map<number, ThreadMailView>, isTimeUp: () => boolean): boolean {
		for (const placed of this.#order) {
			const { id } = placed.mail;
			if (!this.#sent.has(id)) {
				const frame = this.#frameOf(placed, what);
				this.#sent.set(id, { frame: JSON.stringify(frame), source: undefined });
				put.set(id, { ...frame, text: { kind: 'reading' } });
				if (isTimeUp()) {
					return true;
				}
			}
		}
		return false;
	}

	#texts(what: TellableThread, put: Map<number, ThreadMailView>, isTimeUp: () => boolean): boolean {
		const at = this.#order.findIndex(({ mail }) => mail.id === what.target);
		const targetFirst = at <= 0 ? this.#order : [...this.#order.slice(at), ...this.#order.slice(0, at)];
		for (const placed of targetFirst) {
			const { id } = placed.mail;
			const frame = this.#frameOf(placed, what);
			const said = JSON.stringify(frame);
			const source = this.#readText(id, what) ?? what.mailFailure(id);
			const sent = this.#sent.get(id);
			if (sent?.frame === said && sent.source === source) {
				continue;
			}
			this.#sent.set(id, { frame: said, source });
			put.set(id, { ...frame, text: textOf(placed.mail, source, what) });
			if (isTimeUp()) {
				return true;
			}
		}
		return false;
	}

	#frameOf({ mail, parent, depth }: Placed, what: TellableThread): Omit<ThreadMailView, 'text'> {
		const { connection, lastSeen } = what;
		const { id, createdMs, sender, subject, messageId } = mail;
		const answered = parent && this.#readText(parent.id, what)?.reading;
		const from = answered?.kind === 'read' ? answered.mail.from[0] : undefined;
		const writer = from && visibleLine((from.name === '' ? from.address : from.name).slice(0, 200));
		const accountOf = (of: MailSummary): string | undefined => of.sender && visibleLine(of.sender.canonicalName);
		return {
			id,
			depth,
			answers: parent && (writer ?? accountOf(parent) ?? vscode.l10n.t('someone without an account')),
			account: accountOf(mail),
			atMs: createdMs,
			subject: subjectOfThread(subject) === this.#subject ? undefined : titleOf(subject),
			messageId: visibleLine(messageId),
			isNew: lastSeen !== undefined && id > lastSeen && sender?.canonicalName !== connection.me,
		};
	}

	/** Mails never change: a sent text stays valid even after its eviction from the cache. */
	#readText(id: number, { connection }: TellableThread): ReadText | undefined {
		const sent = this.#sent.get(id)?.source;
		return connection.texts.known(id) ?? (typeof sent === 'object' ? sent : undefined);
	}
}

function textOf(
	mail: MailSummary,
	source: ReadText | string | undefined,
	{ connection, connections }: TellableThread,
): MailTextView {
	if (source === undefined) {
		return { kind: 'reading' };
	}
	if (typeof source === 'string') {
		return { kind: 'failed', reason: source };
	}
	const { reading } = source;
	const pull = pullRequestIn(reading);
	return {
		kind: 'read',
		content: mailContent(mail.sender, reading, { web: webOf(connection.instance) }),
		pull: pull && pullView(pull, connections),
	};
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
					const status = visibleLine(statusLook(patchset.status).text);
					return { id, text: vscode.l10n.t('Patchset v{0} · {1}', patchset.version, status) };
				}
				const isFormed = firstMailOfFormed(id) !== undefined;
				return { id, text: isFormed ? vscode.l10n.t('Patchset') : vscode.l10n.t('Patchset {0}', id) };
			}),
		readBefore: before
			? readBeforeText(before.error, agoText(before.readAtMs, nowMs(), 'long'))
			: unsentText(connection.lists.knownThread(ref.list, ref.id) ?? []),
	};
}

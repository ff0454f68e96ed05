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
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { mailContent } from '../mail/mailBlocks.ts';
import { titleOf } from '../subjects/words.ts';
import { pullView } from '../mail/pullView.ts';
import { threadHead } from './threadHead.ts';
import { threadOrder, type PlacedMail } from './threadOrder.ts';
import { webOf } from 'sourcehut/web/webOf.ts';

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
interface Told {
	readonly frame: string;
	/** Source of the sent text. */
	readonly source: ReadText | string | undefined;
}

type Placed = PlacedMail<MailSummary>;

/** Sends differences to a page: the structure first, then the texts in slices. */
export class ThreadPublisher {
	readonly #clock: Clock;
	readonly #told = new Map<number, Told>();
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
		this.#told.clear();
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
			return this.#stateSlice(what);
		}
		if (mails !== this.#mails) {
			this.#mails = mails;
			this.#order = threadOrder(mails);
			this.#subject = subjectOfThread((mails.find(({ id }) => id === what.ref.id) ?? mails[0])?.subject ?? '');
		}
		const head = this.#head(what, mails);
		const { change, goesOn } = this.#mailsSlice(what, isTimeUp);
		return { change: head || change ? { head, mails: change } : undefined, goesOn };
	}

	#stateSlice({ failure }: TellableThread): TellingSlice<ThreadChange> {
		// Old content stays visible during a reload.
		if (failure === undefined && this.#told.size > 0) {
			return { change: undefined, goesOn: false };
		}
		const state: ThreadMailsChange = failure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: failure };
		const mails = this.#pieces.ifNew('state', state);
		return { change: mails && { head: undefined, mails }, goesOn: false };
	}

	#head({ connection, ref }: TellableThread, mails: readonly MailSummary[]): ThreadHeadView | undefined {
		return this.#pieces.ifNew('head', threadHead(connection, ref, { mails, nowMs: () => this.#clock.nowMs() }));
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
			if (!this.#told.has(id)) {
				const frame = this.#frameOf(placed, what);
				this.#told.set(id, { frame: JSON.stringify(frame), source: undefined });
				put.set(id, { ...frame, text: { kind: 'reading' } });
				if (isTimeUp()) {
					return true;
				}
			}
		}
		return false;
	}

	#texts(what: TellableThread, put: Map<number, ThreadMailView>, isTimeUp: () => boolean): boolean {
		for (const placed of targetFirst(this.#order, what.target)) {
			const { id } = placed.mail;
			const frame = this.#frameOf(placed, what);
			const said = JSON.stringify(frame);
			const source = this.#readText(id, what) ?? what.mailFailure(id);
			const told = this.#told.get(id);
			if (told?.frame === said && told.source === source) {
				continue;
			}
			this.#told.set(id, { frame: said, source });
			put.set(id, { ...frame, text: textOf(placed.mail, source, what) });
			if (isTimeUp()) {
				return true;
			}
		}
		return false;
	}

	#frameOf(placed: Placed, what: TellableThread): Omit<ThreadMailView, 'text'> {
		const { parent } = placed;
		return frameOf(placed, what, { subject: this.#subject, answered: parent && this.#readText(parent.id, what) });
	}

	/** Mails never change: a sent text stays valid even after its eviction from the cache. */
	#readText(id: number, { connection }: TellableThread): ReadText | undefined {
		const told = this.#told.get(id)?.source;
		return connection.texts.known(id) ?? (typeof told === 'object' ? told : undefined);
	}
}

function targetFirst(order: readonly Placed[], target: number | undefined): readonly Placed[] {
	const at = order.findIndex(({ mail }) => mail.id === target);
	return at <= 0 ? order : [...order.slice(at), ...order.slice(0, at)];
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

function frameOf(
	{ mail, parent, depth }: Placed,
	{ connection, lastSeen }: TellableThread,
	of: { readonly subject: string; readonly answered: ReadText | undefined },
): Omit<ThreadMailView, 'text'> {
	const { id, createdMs, sender, subject, messageId } = mail;
	const isSame = subjectOfThread(subject) === of.subject;
	const isOwn = sender?.canonicalName === connection.me;
	return {
		id,
		depth,
		answers: parent && (nameOf(parent, of.answered) ?? vscode.l10n.t('someone without an account')),
		account: sender && visibleLine(sender.canonicalName),
		atMs: createdMs,
		subject: isSame ? undefined : titleOf(subject),
		messageId: visibleLine(messageId),
		isNew: lastSeen !== undefined && id > lastSeen && !isOwn,
	};
}

function nameOf(mail: MailSummary, text: ReadText | undefined): string | undefined {
	const from = text?.reading.kind === 'read' ? text.reading.mail.from[0] : undefined;
	const name = from && visibleLine((from.name === '' ? from.address : from.name).slice(0, 200));
	return name ?? (mail.sender && visibleLine(mail.sender.canonicalName));
}

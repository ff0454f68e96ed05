import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { untilSliceEnds } from '@forge-desk/base/timeSlice.ts';
import type { ShortEmail } from 'sourcehut/port/list.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import type { MailReading } from 'patchmail/mail/readableMail.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { pullRequestIn } from 'patchmail/series/pullRequest.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { pagePieces, type TellingSlice } from '../../../editor/pages/livePage.ts';
import { nameOfSender, visibleLine } from '../../../engine/text/visible.ts';
import type { MailTextView, ThreadMailsChange, ThreadMailView } from '../../../pages/protocol/mailsProtocol.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { isOwnWriter, writerOf } from '../../../store/people/sentBy.ts';
import { mailContent } from '../mail/mailBlocks.ts';
import { pullView } from '../mail/pullView.ts';
import { titleOf } from '../subjects/words.ts';
import { threadOrder, type PlacedMail, type ThreadItem } from './threadOrder.ts';

/** A mail of a page, without its text. */
export interface ToldMail extends ThreadItem {
	readonly subject: string;
	readonly messageId: string;
	readonly sender: ShortEmail['sender'];
	readonly from?: string | undefined;
}

/** Current mails of a page. */
export interface TellableMails {
	readonly connection: Connection;
	/** All accounts: a pull request may point to another forge. */
	readonly connections: Connections;
	/** A changed array is a changed order. `undefined` while the mails are missing. */
	readonly mails: readonly ToldMail[] | undefined;
	/** Subject of the thread. A mail shows its own if it differs from this one and from the answered one's. */
	readonly subject: string;
	readonly reading: (id: number) => MailReading | undefined;
	/** Title of a patch that the page shows elsewhere. */
	readonly elsewhere: (id: number) => string | undefined;
	/** Error of the thread as a sentence. */
	readonly failure: string | undefined;
	/** The same of a mail. */
	readonly mailFailure: (id: number) => string | undefined;
	/** Mails with higher numbers are new; `undefined` when none is. */
	readonly lastSeen: number | undefined;
	/** Send this mail first; the user looks at it. */
	readonly target: number | undefined;
}

type Placed = PlacedMail<ToldMail>;
type Frame = Omit<ThreadMailView, 'text'>;

/** All that a sent mail was made from. */
interface Sources {
	readonly placed: Placed;
	readonly answered: MailReading | undefined;
	readonly lastSeen: number | undefined;
	/** Source of its text. */
	readonly source: MailReading | string | undefined;
}

interface SentMail extends Sources {
	readonly frame: Frame;
}

/** Sends differences to a page: the structure first, then the texts in slices. */
export class MailsPublisher {
	readonly #clock: Clock;
	readonly #sent = new Map<number, SentMail>();
	#mails: readonly ToldMail[] | undefined;
	#order: readonly Placed[] = [];
	#isOrderSent = false;
	/** Where the running pass goes on: first over the frames, then over the texts. */
	#framed = 0;
	#texted = 0;
	#target: number | undefined;
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
		this.#isOrderSent = false;
		this.begin();
		this.#isWhole = true;
		this.#isOpen = false;
	}

	/** Something has changed: the next slice looks at all mails again. */
	begin(): void {
		this.#framed = 0;
		this.#texted = 0;
	}

	/** The next slice. */
	next(what: TellableMails): TellingSlice<ThreadMailsChange> {
		// The next mail alone may take as long again.
		const isTimeUp = untilSliceEnds(this.#clock);
		const { mails } = what;
		if (!mails) {
			// Old content stays visible during a reload.
			if (what.failure === undefined && this.#sent.size > 0) {
				return { change: undefined, goesOn: false };
			}
			const state: ThreadMailsChange =
				what.failure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: what.failure };
			return { change: this.#pieces.ifNew('state', state), goesOn: false };
		}
		if (mails !== this.#mails) {
			this.#arrange(mails, what.elsewhere);
		}
		if (what.target !== this.#target) {
			this.#target = what.target;
			this.#texted = 0;
		}

		const put = new Map<number, ThreadMailView>();
		const goesOn = this.#frames(what, put, isTimeUp) || this.#texts(what, put, isTimeUp);
		if (!goesOn) {
			this.begin();
		}
		const order = this.#isOrderSent ? undefined : this.#order.map(({ mail }) => mail.id);
		this.#isOrderSent = true;
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

	/** Mails arrived, or left. */
	#arrange(mails: readonly ToldMail[], elsewhere: TellableMails['elsewhere']): void {
		const before = this.#order;
		this.#mails = mails;
		this.#order = withoutIdlePatches(threadOrder(mails), elsewhere);
		this.#isOrderSent &&=
			this.#order.length === before.length && this.#order.every(({ mail }, at) => mail.id === before[at]?.mail.id);
		this.begin();
	}

	/** Sender and date of every mail, with a "loading" mark for missing texts. True when the time is up. */
	#frames(what: TellableMails, put: Map<number, ThreadMailView>, isTimeUp: () => boolean): boolean {
		for (const placed of this.#order.slice(this.#framed)) {
			const { id } = placed.mail;
			this.#framed += 1;
			if (!this.#sent.has(id)) {
				const sources = { placed, answered: this.#answered(placed, what), lastSeen: what.lastSeen, source: undefined };
				const frame = frameOf(sources, what);
				this.#sent.set(id, { ...sources, frame });
				put.set(id, { ...frame, text: { kind: 'reading' } });
				if (isTimeUp()) {
					return true;
				}
			}
		}
		return false;
	}

	#texts(what: TellableMails, put: Map<number, ThreadMailView>, isTimeUp: () => boolean): boolean {
		const at = this.#order.findIndex(({ mail }) => mail.id === what.target);
		const targetFirst = at <= 0 ? this.#order : [...this.#order.slice(at), ...this.#order.slice(0, at)];
		for (const placed of targetFirst.slice(this.#texted)) {
			const { mail } = placed;
			this.#texted += 1;
			const source = what.elsewhere(mail.id) ?? this.#readText(mail.id, what) ?? what.mailFailure(mail.id);
			const sources = { placed, answered: this.#answered(placed, what), lastSeen: what.lastSeen, source };
			const sent = this.#sent.get(mail.id);
			if (sent && areSame(sent, sources)) {
				continue;
			}
			const frame = frameOf(sources, what);
			this.#sent.set(mail.id, { ...sources, frame });
			if (sent?.source !== source || !isSameValue(sent?.frame, frame)) {
				put.set(mail.id, { ...frame, text: textOf(mail, source, what) });
			}
			if (isTimeUp()) {
				return true;
			}
		}
		return false;
	}

	#answered({ parent }: Placed, what: TellableMails): MailReading | undefined {
		return parent && this.#readText(parent.id, what);
	}

	/** Mails never change: a sent text stays valid even after its eviction from the cache. */
	#readText(id: number, { reading }: TellableMails): MailReading | undefined {
		const sent = this.#sent.get(id)?.source;
		return reading(id) ?? (typeof sent === 'object' ? sent : undefined);
	}
}

/** By identity, which is far faster than making the mail again. */
function areSame(one: Sources, other: Sources): boolean {
	return (
		one.source === other.source &&
		one.placed === other.placed &&
		one.answered === other.answered &&
		one.lastSeen === other.lastSeen
	);
}

function frameOf(
	{ placed: { mail, parent, depth }, answered, lastSeen }: Sources,
	{ connection, subject: ofThread }: TellableMails,
): Frame {
	const { id, createdMs, subject, messageId } = mail;
	const own = subjectOfThread(subject);
	const isKnownSubject = own === ofThread || (parent !== undefined && own === subjectOfThread(parent.subject));
	const accountOf = ({ sender }: ToldMail): string | undefined => sender && visibleLine(sender.canonicalName);
	const isOfArchive = connection.instance.archiveUrl !== undefined;
	const unknown = isOfArchive ? nameOfSender(parent?.from ?? '') : vscode.l10n.t('someone without an account');
	return {
		id,
		depth,
		answers: parent && (nameIn(answered) ?? accountOf(parent) ?? unknown),
		account: isOfArchive ? '' : accountOf(mail),
		atMs: createdMs,
		subject: isKnownSubject ? undefined : titleOf(subject),
		messageId: visibleLine(messageId),
		isNew: lastSeen !== undefined && id > lastSeen && !isOwnWriter(connection, writerOf(mail)),
	};
}

function nameIn(reading: MailReading | undefined): string | undefined {
	const from = reading?.kind === 'read' ? reading.mail.from[0] : undefined;
	return from && visibleLine((from.name === '' ? from.address : from.name).slice(0, 200));
}

/** Patches that the page shows elsewhere stay only as heads of replies. */
function withoutIdlePatches(
	order: readonly Placed[],
	elsewhere: (id: number) => string | undefined,
): readonly Placed[] {
	const kept: Placed[] = [];
	let below: Placed | undefined;
	for (const placed of order.toReversed()) {
		const isHead = below !== undefined && below.depth > placed.depth;
		if (isHead || elsewhere(placed.mail.id) === undefined) {
			kept.push(placed);
			below = placed;
		}
	}
	return kept.toReversed();
}

function textOf(
	mail: ToldMail,
	source: MailReading | string | undefined,
	{ connection, connections, elsewhere }: TellableMails,
): MailTextView {
	if (source === undefined) {
		return { kind: 'reading' };
	}
	if (typeof source === 'string') {
		return elsewhere(mail.id) === source ? { kind: 'patch', title: source } : { kind: 'failed', reason: source };
	}
	const pull = pullRequestIn(source);
	return {
		kind: 'read',
		content: mailContent(mail.sender, source, { web: webOf(connection.instance) }),
		pull: pull && pullView(pull, connections),
	};
}

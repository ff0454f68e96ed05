import type {
	CommentEdit,
	DraftView,
	SendAnswer,
	TicketPageStart,
	TicketProtocol,
	PageChange,
} from '../protocol/ticketProtocol.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import { swallowChords } from '../chords.ts';
import { h } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { followLinks } from '../links.ts';
import { times } from '../times.ts';
import { reasonOf, voice } from '../voice.ts';
import { composer } from './composer.ts';
import { draftKeeper } from '../draftKeeper.ts';
import { header } from './header.ts';
import { queued } from './queued.ts';
import { goTo, watchPlace, type ReadingPlace } from './readingPlace.ts';
import type { TicketPage } from './ticketPage.ts';
import { timeline } from './timeline.ts';

const host = connectHost<TicketProtocol>();
const { root } = host;
let kept: Kept = keptFrom(host.kept);
/** Reading position to restore. */
let { place } = kept;
/** Entry to scroll to. */
let wanted: number | undefined;
/** Keeps the answered heading visible above the entry. */
const roomAbove = 48;

function keep(change: Partial<Kept>): void {
	kept = { ...kept, ...change };
	host.keep({ ...kept });
}

/** The editor saves page state only from time to time, so drafts go to the host's disk. */
const drafts = draftKeeper(() => void giveHost(kept.draft));

/** From now on, the host's version of the draft takes precedence. */
async function giveHost(draft: DraftView): Promise<void> {
	try {
		await host.link.ask('keepDraft', { ...draft, entryId: undefined });
		if (kept.draft.atMs === draft.atMs) {
			keep({ isGiven: true });
		}
		built?.draftKept(undefined);
	} catch (error) {
		built?.draftKept(reasonOf(error));
	}
}

/** Raises the time above the last draft's, in case the clock was set back. */
function typed(text: string): DraftView {
	const draft = { text, atMs: Math.max(Date.now(), kept.draft.atMs + 1) };
	keep({ draft, isGiven: false });
	return draft;
}

/** Time of the last sent draft. The editor may restore an older state of the page, with a text that was sent since. */
let sentMs: number | undefined;

function isSent({ atMs }: DraftView): boolean {
	return sentMs !== undefined && atMs <= sentMs;
}

/** Text of the box. The host's draft wins if the host has received or sent the page's text. */
function draftNow(hosts: DraftView | undefined): string {
	const { draft, isGiven } = kept;
	return isGiven || isSent(draft) || (hosts !== undefined && hosts.atMs >= draft.atMs)
		? (hosts?.text ?? '')
		: draft.text;
}

/**
 * A send hands the draft to the host, which deletes it after delivery, even if this page is gone. After a failed
 * delivery, the page keeps the draft too.
 */
async function delivered(text: string, work: () => Promise<SendAnswer>): Promise<SendAnswer> {
	let isThere = false;
	if (text.trim() !== '') {
		drafts.forget();
		const draft = typed(text);
		await giveHost(draft);
		if (kept.isGiven && kept.draft.atMs === draft.atMs) {
			// Clear the page's copy, or a reload would offer the sent text again.
			keep({ draft: { ...draft, text: '' } });
		}
	}
	try {
		const answer = await work();
		isThere = answer.isCommentThere;
		return answer;
	} finally {
		if (!isThere && text.trim() !== '') {
			// Not newer than the host's version, so that deleting that one also deletes this one.
			keep({ draft: { ...kept.draft, text } });
		}
	}
}

/** Pins the tab while the user writes: another page must not replace it. Sent at the first key, before the draft. */
let isWriting = false;

function tellWriting(): void {
	if (!isWriting) {
		isWriting = true;
		host.link.ask('writing', undefined).catch(() => undefined);
	}
}

/** The built page. */
type Built = ReturnType<typeof build>;

/** Builds the page once. Later changes only update the parts that differ. */
function build({ strings, ...start }: TicketPageStart) {
	const { link } = host;
	const { seen, heard, say, done } = voice();
	const page: TicketPage = { strings, times: times(start.locale), link, say, done, tellWriting };
	const top = header(page);
	// The embedded draft is as old as the page, whose own copy may be newer.
	const draft = hasLoaded || kept.draft.atMs === 0 || isSent(kept.draft) ? draftNow(start.draft) : kept.draft.text;
	const writer = composer(page, draft, kept.move, {
		keep: (text) => {
			tellWriting();
			typed(text);
			drafts.typed(text);
		},
		keepMove: (move) => keep({ move }),
		async deliver(text, work) {
			const answer = await delivered(text, work);
			if (answer.isCommentThere) {
				events.showNewest(writer.element);
			}
			return answer;
		},
	});
	const waiting = queued(page);
	const events = timeline(page, start.order, writer.quote, (edit) => void keepEdit(edit));
	root.replaceChildren(
		h('main', { class: 'column' }, top.element, seen, events.element, waiting.element, top.end, writer.element, heard),
	);
	link.on('focusComposer', () => writer.focus());
	link.on('editText', () => top.editText(true));
	if (start.editsText) {
		// When opened because of a draft, leave the focus to the user's purpose.
		top.editText(!start.focusComposer);
	}
	link.on('said', (text) => {
		seen.textContent = text;
	});

	/** Last draft error; shown once, because every key would repeat it. */
	let refusedEdit: string | undefined;

	async function keepEdit(edit: CommentEdit): Promise<void> {
		try {
			await link.ask('keepDraft', { ...edit, atMs: Date.now() });
			refusedEdit = undefined;
		} catch (error) {
			const reason = reasonOf(error);
			if (reason !== refusedEdit) {
				refusedEdit = reason;
				done(Promise.reject(error));
			}
		}
	}

	link.on('goTo', goToWanted);

	function showChange({ head, timeline: change }: PageChange): void {
		if (head) {
			top.show(head);
			waiting.show(head.queued);
			writer.show(head);
		}
		if (change) {
			events.show(change);
		}
		goToWanted(wanted);
		const isAllThere = hasLoaded && change?.kind === 'entries' && !change.goesOn;
		if (place && (goTo(place) || isAllThere)) {
			// Don't wait for an entry on older pages: a user who loads those reads elsewhere.
			place = undefined;
		}
	}

	return {
		show: showChange,
		/** Restores the host's current state. */
		takeUp: ({ draft, sent }: TicketPageStart) => writer.takeUp(draftNow(draft), sent),
		/** The draft is on disk, or why not. */
		draftKept: writer.draftKept,
		focusComposer: () => writer.focus(),
	};
}

/** An explicit target overrides the saved position. */
function goToWanted(entryId: number | undefined): void {
	wanted = entryId;
	if (wanted !== undefined && goTo({ entryId: wanted, top: roomAbove })) {
		wanted = undefined;
		place = undefined;
	}
}

let built: Built | undefined;
let startNumber = 0;
/** The current data has arrived, not only the embedded data. */
let hasLoaded = false;

/** Shows the embedded data first, then the current data. */
function begin(start: TicketPageStart): void {
	startNumber = start.number;
	sentMs = start.sentMs;
	// The embedded target was used when the page first opened.
	wanted = (hasLoaded || place === undefined ? start.entry : undefined) ?? wanted;
	if (start.failure === undefined) {
		built ??= build(start);
		built.show(start.change ?? { head: undefined, timeline: undefined });
		if (hasLoaded) {
			// Skip the embedded data, which is older than the page's own state.
			built.takeUp(start);
		}
		return;
	}
	built = undefined;
	const notice = failure(start.failure, start.strings.tryAgain, () => void open());
	root.replaceChildren(h('main', { class: 'column' }, h('div', { class: 'notice', role: 'alert' }, ...notice)));
}

async function open(): Promise<void> {
	const progress = h('div', { class: 'progress', 'aria-hidden': 'true' });
	root.append(progress);
	const start = await host.link.ask('load', startNumber);
	progress.remove();
	hasLoaded = true;
	sentMs = start.sentMs;
	const { draft, isGiven } = kept;
	// The last keystrokes before a reload may not have reached the host.
	if (!isGiven && draft.text !== '' && draftNow(start.draft) === draft.text && start.draft?.text !== draft.text) {
		void giveHost(draft);
	}
	begin(start);
	if (start.focusComposer) {
		built?.focusComposer();
	}
}

keep({});
host.link.on('reload', () => void open());
host.link.on('changed', (change) => built?.show(change));
swallowChords(window);
followLinks(document.body, (href) => {
	// A link that the host rejects does nothing, like any dead link.
	host.link.ask('follow', href).catch(() => undefined);
});
watchPlace((now) => keep({ place: now }));
host.link.on('start', begin);
host.begin();
void open();

/** Page state saved over a reload; excludes the host's data. */
interface Kept {
	readonly draft: DraftView;
	/** The host has the draft, and its version takes precedence. */
	readonly isGiven: boolean;
	/** Key of the last chosen status change. */
	readonly move: string | undefined;
	readonly place: ReadingPlace | undefined;
}

/** Ignores invalid saved state. */
function keptFrom(value: unknown): Kept {
	const { draft, isGiven, move, place } = fieldsOf(value);
	const { text, atMs } = fieldsOf(draft);
	const { entryId, top } = fieldsOf(place);
	return {
		draft: { text: typeof text === 'string' ? text : '', atMs: typeof atMs === 'number' ? atMs : 0 },
		isGiven: isGiven === true,
		move: typeof move === 'string' ? move : undefined,
		place: typeof entryId === 'number' && typeof top === 'number' ? { entryId, top } : undefined,
	};
}

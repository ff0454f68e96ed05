import type {
	CommentEdit,
	DraftView,
	SendAnswer,
	TicketPageStart,
	TicketProtocol,
} from '../../protocol/ticketProtocol.ts';
import type { PageChange } from '../../protocol/ticketView.ts';
import { swallowChords } from '../chords.ts';
import { h } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { followLinks } from '../links.ts';
import { times } from '../times.ts';
import { reasonOf, voice } from '../voice.ts';
import { composer } from './composer.ts';
import { draftKeeper } from './draftKeeper.ts';
import { header } from './header.ts';
import { keptFrom, type Kept } from './kept.ts';
import { goTo, watchPlace } from './readingPlace.ts';
import type { WritingHelp } from './textBox.ts';
import { timeline } from './timeline.ts';

const host = connectHost<TicketProtocol>();
const { root } = host;
let kept: Kept = keptFrom(host.kept);
/** Where somebody read before, until that is shown again. */
let { place } = kept;
/** The entry that somebody came for, until it is shown. */
let wanted: number | undefined;
/** Above it the heading of what it answers can be seen. */
const roomAbove = 48;

function keep(change: Partial<Kept>): void {
	kept = { ...kept, ...change };
	host.keep({ ...kept });
}

/** The editor writes out what a page keeps only now and then, so the draft goes to the host's disk. */
const drafts = draftKeeper(() => void giveHost(kept.draft));

/** From then on the page's own copy only fills the box until the host has said what became of the draft. */
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

/** What is typed now is later than what was typed before, also when the clock was set back. */
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

/** What was typed in the last moment of an earlier life of this page has not always reached the host. */
function giveHostWhatItMissed(hosts: DraftView | undefined): void {
	if (
		!kept.isGiven &&
		kept.draft.text !== '' &&
		draftNow(hosts) === kept.draft.text &&
		hosts?.text !== kept.draft.text
	) {
		void giveHost(kept.draft);
	}
}

/** What is sent is the host's from then on: it forgets the draft when the forge has it, and the page may be gone by then. */
async function handOver(text: string): Promise<void> {
	if (text.trim() !== '') {
		drafts.forget();
		const draft = typed(text);
		await giveHost(draft);
		if (kept.isGiven && kept.draft.atMs === draft.atMs) {
			// A page that showed it even for a moment would offer again what is being sent.
			keep({ draft: { ...draft, text: '' } });
		}
	}
}

/** The draft is the page's as well again when the page itself hears that the forge does not have it. */
async function delivered(text: string, work: () => Promise<SendAnswer>): Promise<SendAnswer> {
	let isThere = false;
	await handOver(text);
	try {
		const answer = await work();
		isThere = answer.isCommentThere;
		return answer;
	} finally {
		if (!isThere && text.trim() !== '') {
			// No newer than what the host was given: whoever deletes that draft has deleted this one.
			keep({ draft: { ...kept.draft, text } });
		}
	}
}

/** Nobody else's page takes the place of one in which somebody writes. Told at the first key, before anything is kept. */
let isWriting = false;

function tellWriting(): void {
	if (!isWriting) {
		isWriting = true;
		host.link.ask('writing', undefined).catch(() => undefined);
	}
}

/** The page, once it is built. */
interface Built {
	show(change: PageChange): void;
	/** Goes on where the host stands now. */
	takeUp(start: TicketPageStart): void;
	/** The host has what was typed on the disk, or says why not. */
	draftKept(refusal: string | undefined): void;
	/** The keyboard goes into the box for a new comment. */
	focusComposer(): void;
}

/** Builds the page once; what comes later only changes what is different. */
function build({ strings, ...start }: TicketPageStart): Built {
	const { link } = host;
	const clock = times(start.locale);
	const { seen, heard, say, done } = voice();
	const again = (): void => done(link.ask('again', undefined));
	const help: WritingHelp = {
		complete: (wish) => link.ask('complete', wish),
		preview: (text) => link.ask('preview', text),
	};
	const top = header({
		strings,
		times: clock,
		labels: {
			choices: () => link.ask('labelChoices', undefined),
			change: (names) => link.ask('changeLabels', names),
		},
		assignees: {
			choices: () => link.ask('personChoices', undefined),
			change: (names) => link.ask('changeAssignees', names),
		},
		text: {
			help,
			start: () => link.ask('ticketText', undefined),
			keep: (text) => {
				tellWriting();
				done(link.ask('keepText', text));
			},
			save: (edit) => link.ask('editText', edit),
			say,
		},
		copyReference: () => done(link.ask('copyReference', undefined), strings.copied),
		subscribe: (isWanted) => done(link.ask('subscribe', isWanted)),
		remove: () => done(link.ask('remove', undefined)),
		openOnWeb: (where) => done(link.ask('openOnWeb', where)),
		namings: {
			open: (key) => done(link.ask('openNamedIn', key)),
			look: () => link.ask('lookForNamings', undefined),
			say,
		},
		again,
	});
	const writer = composer({
		strings,
		help,
		// What came with the page is as old as the page, and it knows itself what was typed or sent since.
		draft: hasLoaded || kept.draft.atMs === 0 || isSent(kept.draft) ? draftNow(start.draft) : kept.draft.text,
		move: kept.move,
		keep: (text) => {
			tellWriting();
			typed(text);
			drafts.typed(text);
		},
		keepMove: (move) => keep({ move }),
		send: (send) => shown(delivered(send.comment, () => link.ask('send', send))),
		lookAgain: () => shown(delivered(kept.draft.text, () => link.ask('lookAgain', undefined))),
		outcome: () => link.ask('outcome', undefined),
	});
	const events = timeline({
		strings,
		times: clock,
		help,
		order: start.order,
		say,
		onOrder: (order) => done(link.ask('keepOrder', order)),
		older: () => link.ask('older', undefined),
		again,
		text: (entryId, which) => {
			if (which === 'draft') {
				tellWriting();
			}
			return link.ask(which === 'draft' ? 'commentDraft' : 'commentText', entryId);
		},
		quote: writer.quote,
		edit: (edit) => link.ask('editComment', edit),
		keepEdit: (edit) => void keepEdit(edit),
	});
	root.replaceChildren(
		h('main', { class: 'column' }, top.element, seen, events.element, top.end, writer.element, heard),
	);
	link.on('focusComposer', () => writer.focus());
	link.on('editText', () => top.editText(true));
	if (start.editsText) {
		// Opened for a draft it leaves the keyboard to what somebody came for.
		top.editText(!start.focusComposer);
	}
	link.on('said', (text) => {
		seen.textContent = text;
	});

	/** Why an edit could not be kept, while it cannot: said once, because the next key would say it again. */
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

	/** Whoever wrote a comment sees it, wherever they were reading. */
	async function shown(delivery: Promise<SendAnswer>): Promise<SendAnswer> {
		const answer = await delivery;
		if (answer.isCommentThere) {
			events.showNewest(writer.element);
		}
		return answer;
	}
	link.on('goTo', goToWanted);

	function showChange({ head, timeline: change }: PageChange): void {
		if (head) {
			top.show(head);
			writer.show(head);
		}
		if (change) {
			events.show(change);
		}
		goToWanted(wanted);
		const isAllThere = hasLoaded && change?.kind === 'entries' && !change.goesOn;
		if (place && (goTo(place) || isAllThere)) {
			// What is not among the first entries is not waited for: whoever asks for older ones reads elsewhere by then.
			place = undefined;
		}
	}

	return {
		show: showChange,
		takeUp: ({ draft, sent }) => writer.takeUp(draftNow(draft), sent),
		draftKept: writer.draftKept,
		focusComposer: () => writer.focus(),
	};
}

/** Once it is there, it counts more than where somebody read before. */
function goToWanted(entryId: number | undefined): void {
	wanted = entryId;
	if (wanted !== undefined && goTo({ entryId: wanted, top: roomAbove })) {
		wanted = undefined;
		place = undefined;
	}
}

let built: Built | undefined;
let startNumber = 0;
/** What the host knows now has come, and not only what it knew when it opened the page. */
let hasLoaded = false;

/** Shows what the host knew when it opened the page, and then what it knows now. */
function begin(start: TicketPageStart): void {
	startNumber = start.number;
	sentMs = start.sentMs;
	// What came with the page was gone to when somebody first read here.
	wanted = (hasLoaded || place === undefined ? start.entry : undefined) ?? wanted;
	if (start.failure === undefined) {
		built ??= build(start);
		built.show(start.change ?? { head: undefined, timeline: undefined });
		if (hasLoaded) {
			// What came with the page is as old as the page, and older than what it has become since.
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
	giveHostWhatItMissed(start.draft);
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
	// A link that the host does not follow is answered by nothing happening, like any dead link.
	host.link.ask('follow', href).catch(() => undefined);
});
watchPlace((now) => keep({ place: now }));
host.link.on('start', begin);
host.begin();
void open();

import type {
	PatchsetPageStart,
	PatchsetProtocol,
	PagePart,
	PatchsetChange,
	StandingView,
	NamedTicketView,
	EventView,
} from '../protocol/patchsetProtocol.ts';
import { swallowChords } from '../chords.ts';
import { h } from '../dom.ts';
import { connectHost } from '../host.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import { followLinks } from '../links.ts';
import { lineCounts, mailBlocks, linkButton } from '../mailBlocks.ts';
import { collapsedIn, mails } from '../mails/mails.ts';
import { keptPlace, mailElement, placeKeeper } from '../place.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { head, ifOther, patchsetIcon } from './head.ts';
import { partFailure, type PageContext } from './pageContext.ts';
import { mailTextContext, patches, type FilesLook } from './patches.ts';
import { notices, type NoticesView } from './notices.ts';
import { ownReview } from './outcomes.ts';
import { reviewBox } from './reviewBox.ts';
import { nextTask, pageWork, type PageSteps } from '../pageWork.ts';
import { dot, pilled } from '../texts.ts';
import { signatures } from './signatures.ts';
import { trailerTable } from './trailersTable.ts';

const host = connectHost<PatchsetProtocol>();
const { root } = host;
const before = keptPlace(fieldsOf(host.kept)['place']);
const places = placeKeeper(
	before,
	() => 0,
	(place) => keep({ place }),
);
const keptCollapsed = collapsedIn(fieldsOf(host.kept)['collapsed']);
let kept: Readonly<Record<string, unknown>> = {
	place: before,
	collapsed: keptCollapsed,
	files: filesLook(fieldsOf(host.kept)['files']),
};

/** Ignores invalid saved state. */
function filesLook(value: unknown): FilesLook {
	const { areViewedHidden, folded } = fieldsOf(value);
	const folders: readonly unknown[] = Array.isArray(folded) ? folded : [];
	return { areViewedHidden: areViewedHidden === true, folded: folders.filter((each) => typeof each === 'string') };
}

/** Page state saved over a reload. */
function keep(change: Readonly<Record<string, unknown>>): void {
	kept = { ...kept, ...change };
	host.keep(kept);
}

/** Builds the page once. Later changes only update the parts that differ. */
function build({ locale, strings }: PatchsetPageStart) {
	const { link } = host;
	const { seen, heard, done } = voice();
	function goTo(mail: number): void {
		const element = mailElement(mail);
		if (element) {
			element.scrollIntoView({ block: 'start' });
			(element.querySelector<HTMLElement>('article') ?? element).focus({ preventScroll: true });
		} else {
			// A patch of another version, or a mail that is not here.
			done(link.ask('openMail', mail));
		}
	}

	/** Opens the box for the comment on the series, or for a reply to the message in front. */
	function write(what: 'comment' | 'reply'): void {
		const inFront = Number(places.current()?.dataset['mail']);
		const answered = Number.isSafeInteger(inFront) && inFront > 0 ? inFront : talk.neighbour(undefined, 'next');
		if (what === 'comment' || answered === undefined) {
			review.focus();
		} else {
			talk.replies.open(answered);
		}
	}

	const work = pageWork(nextTask(), () => performance.now());
	const context: PageContext = {
		strings,
		work,
		goTo,
		reply: (mail) => talk.replies.open(mail),
		locale,
		times: times(locale),
		// The other commands report their own results.
		run: (action) => done(link.ask('run', action), action === 'copyReference' ? strings.copied : ''),
		ask: (name, value) => done(link.ask(name, value)),
		people: { strings: strings.mail, openPerson: (name) => done(link.ask('openPerson', name)) },
	};
	const top = head(context, write);
	const unsent = h('p', { class: 'pending-review', hidden: true });
	const review = reviewBox(context, link);
	const own = ownReview(context);
	const loading = h('p', { class: 'quiet', role: 'status' }, strings.loading);
	const failure = h('div');
	const warnings = h('div', { class: 'notices' });
	const letter = h('section', { class: 'part', hidden: true });
	const signed = signatures(context);
	const list = patches(context, filesLook(fieldsOf(host.kept)['files']), (files) => keep({ files }));
	const talk = mails(
		{
			strings,
			locale,
			times: context.times,
			link,
			done,
			areQuotesOpen: () => false,
			showPatch: goTo,
			slotElsewhere: (mail) => list.slotOf(mail),
			moreActions: [],
		},
		keptCollapsed,
		(ids) => keep({ collapsed: ids }),
		() => context.ask('again', 'standing'),
	);
	const conversation = h(
		'section',
		{ class: 'part conversation', hidden: true, 'aria-labelledby': 'conversation-title' },
		h('h2', { id: 'conversation-title' }, strings.conversation),
		talk.element,
	);
	const rest = h('div');
	root.replaceChildren(
		h(
			'main',
			{ class: 'column' },
			top.element,
			seen,
			unsent,
			failure,
			loading,
			warnings,
			letter,
			signed.element,
			list.element,
			conversation,
			own.element,
			review.element,
			rest,
			heard,
		),
	);

	const showNotices = ifOther((view: NoticesView) => warnings.replaceChildren(...notices(view, context)));
	let noticed: Omit<NoticesView, 'refusal'> | undefined;
	let refusal: string | undefined;
	const showLetter = ifOther((view: LetterView) => letter.replaceChildren(...letterParts(view, context)));
	const showTables = ifOther((view: TablesView) => rest.replaceChildren(...tables(view, context)));

	function showStanding({ value, failure: reason }: PagePart<StandingView>): void {
		loading.hidden = value !== undefined || reason !== undefined;
		const reasons = [...(reason === undefined || reason === '' ? [] : [reason]), ...(value?.failures ?? [])];
		failure.replaceChildren(...reasons.flatMap((each) => partFailure('standing', each, context)));
		if (value) {
			top.showStanding(value);
			const { suggestions, health, pull, trailers, tickets, versions, events, isPushed } = value;
			const { cover, summary, added, removed, viewed } = value;
			noticed = { suggestions, health, pull };
			letter.hidden = false;
			review.element.hidden = false;
			showLetter({ cover, summary, added, removed, viewed });
			showTables({ trailers, tickets, versions, events, isPushed });
		}
	}

	function* show(change: PatchsetChange, mails: PageSteps | undefined): PageSteps {
		if (change.head) {
			top.show(change.head);
			const { value } = change.head;
			refusal = value === undefined || value.canSetStatus ? undefined : value.whoMay;
		}
		if (change.standing) {
			showStanding(change.standing);
		}
		if (noticed) {
			showNotices({ ...noticed, refusal });
		}
		if (change.patches) {
			yield* list.show(change.patches);
		}
		if (mails) {
			conversation.hidden = false;
			yield* mails;
		}
		if (change.signatures) {
			signed.show(change.signatures);
		}
		if (change.replies) {
			talk.replies.show(change.replies);
		}
		if (change.review !== undefined) {
			unsent.replaceChildren(patchsetIcon('review'), ' ', pilled(change.review));
			unsent.hidden = change.review === '';
			review.count(change.review);
		}
		if (change.own) {
			own.show(change.own);
		}
		if (change.comment !== undefined) {
			review.show(change.comment);
		}
		places.settle();
	}
	return { show: (change: PatchsetChange) => work(show(change, change.mails && talk.show(change.mails))), write };
}

type LetterView = Pick<StandingView, 'cover' | 'summary' | 'added' | 'removed' | 'viewed'>;

/** The cover letter, and the size of the series. */
function letterParts(
	{ cover, summary, added, removed, viewed }: LetterView,
	context: PageContext,
): readonly HTMLElement[] {
	const { strings } = context;
	const blocks = cover ? mailBlocks(cover.content.blocks, mailTextContext(cover.mailId, context)) : [];
	const note = cover?.content.raw?.note;
	return [
		h('h2', {}, cover ? strings.coverLetter : strings.summary),
		...(note === undefined ? [] : [h('p', { class: 'quiet' }, note)]),
		h('div', { class: 'letter-text' }, ...blocks),
		h(
			'p',
			{ class: 'diffstat' },
			h('span', {}, summary),
			' ',
			lineCounts({ added, removed }, { strings: strings.mail, locale: context.locale }),
			...(viewed === '' ? [] : [dot(), viewed]),
		),
	];
}

let built: ReturnType<typeof build> | undefined;

async function open(): Promise<void> {
	const progress = h('div', { class: 'progress', 'aria-hidden': 'true' });
	root.append(progress);
	const change = await host.link.ask('load', undefined);
	progress.remove();
	built?.show(change);
}

keep({});
host.link.on('changed', (change) => built?.show(change));
host.link.on('write', (what) => built?.write(what));
host.link.on('start', (start) => {
	built = build(start);
	built.show(start.change);
});
swallowChords(window);
followLinks(document.body, (href) => {
	// A link that the host rejects does nothing, like any dead link.
	host.link.ask('follow', href).catch(() => undefined);
});
host.begin();
void open();

/** Data for tables. */
type TablesView = Pick<StandingView, 'trailers' | 'tickets' | 'versions' | 'events' | 'isPushed'>;

/** Trailers, tickets, versions and events, without empty tables. */
function tables(
	{ trailers, tickets, versions, events, isPushed }: TablesView,
	context: PageContext,
): readonly HTMLElement[] {
	return [
		...(trailers.length === 0 ? [] : [trailerTable(trailers, context)]),
		...(tickets.length === 0 ? [] : [ticketList(tickets, context)]),
		...(versions.length < 2 ? [] : [versionTable(versions, context)]),
		...(events.length === 0 ? [] : [eventList(events, isPushed, context)]),
	];
}

function ticketList(tickets: readonly NamedTicketView[], { strings }: PageContext): HTMLElement {
	const rows = tickets.map(({ text, href, title, trailer }) =>
		h(
			'li',
			{},
			...(trailer === '' ? [] : [h('span', { class: 'quiet' }, pilled(trailer)), ' ']),
			href === undefined ? pilled(text) : h('a', { href }, pilled(text)),
			...(title === '' ? [] : [' ', pilled(title)]),
			...(href === undefined ? [' ', h('span', { class: 'quiet' }, strings.ofUnknown)] : []),
		),
	);
	return h('section', { class: 'part' }, h('h2', {}, strings.tickets), h('ul', { class: 'plain' }, ...rows));
}

function eventList(events: readonly EventView[], isPushed: boolean, context: PageContext): HTMLElement {
	const { strings, times } = context;
	const finish = (): void => context.ask('run', 'finishApplied');
	const rows = events.map(({ text, atMs, mailId }) =>
		h(
			'li',
			{},
			mailId === undefined ? pilled(text) : linkButton(text, () => context.goTo(mailId)),
			...(atMs === undefined ? [] : [' ', h('span', { class: 'quiet' }, times.element(atMs))]),
		),
	);
	return h(
		'section',
		{ class: 'part' },
		h('h2', {}, strings.events),
		h('ul', { class: 'plain' }, ...rows),
		...(isPushed ? [linkButton(strings.finishApplied, finish)] : []),
	);
}

function versionTable(versions: TablesView['versions'], context: PageContext): HTMLElement {
	const { strings, ask } = context;
	const rows = versions.map(({ id, version, title, status, isThis, isReviewed, link }) => {
		const changes = isReviewed ? strings.changesSinceReview : strings.versionChanges;
		const buttons = [
			[strings.compareVersion, 'compareVersion'] as const,
			[changes, 'openVersionChanges'] as const,
			[strings.unlinkVersion, 'unlinkVersion'] as const,
		].flatMap(([text, name]) => [' · ', linkButton(text, () => ask(name, id), `${version} ${title}`)]);
		return h(
			'li',
			{ 'aria-current': isThis ? 'true' : undefined },
			isThis ? h('strong', {}, version) : linkButton(version, () => ask('openPatchset', id), title),
			' ',
			pilled(title),
			h(
				'span',
				{ class: 'quiet' },
				' · ',
				pilled([status, isThis ? strings.thisVersion : link].filter((part) => part !== '').join(' · ')),
			),
			...(isThis ? [] : buttons),
		);
	});
	return h('section', { class: 'part' }, h('h2', {}, strings.versions), h('ul', { class: 'plain' }, ...rows));
}

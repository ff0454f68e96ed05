import type { ThreadMailsChange } from '../protocol/mailsProtocol.ts';
import type {
	ThreadPageStart,
	ThreadProtocol,
	ThreadLook,
	ThreadChange,
	ThreadHeadView,
	ThreadPageStrings,
} from '../protocol/threadProtocol.ts';
import { swallowChords } from '../chords.ts';
import { h, onClick } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { followLinks } from '../links.ts';
import { beforePicture, pageEnd } from '../pageEnd.ts';
import { mailElement, placeKeeper, keptPlace, type ReadingPlace } from '../place.ts';
import { setQuotes, linkButton } from '../mailBlocks.ts';
import { times } from '../times.ts';
import { nextTask, pageWork, type PageSteps } from '../pageWork.ts';
import { voice } from '../voice.ts';
import { collapsedIn, mails } from '../mails/mails.ts';
import type { MailsPage } from '../mails/mailsPage.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import { icon } from '../icons.ts';
import { pilled } from '../texts.ts';

const host = connectHost<ThreadProtocol>();
const { link, root } = host;
let kept: Kept = keptFrom(host.kept);

function keep(change: Partial<Kept>): void {
	kept = { ...kept, ...change };
	host.keep({ ...kept });
}

/** The built page. */
type Built = ReturnType<typeof build>;

/** Builds the page once. Later changes only update the parts that differ. */
function build({ strings, locale, ...start }: ThreadPageStart) {
	let { look } = start;
	let wanted: number | undefined;
	/** A new page without a requested mail goes to the first unread one. */
	let isPlaced = kept.place !== undefined || start.entry !== undefined;
	const { seen, heard, done } = voice();
	const page: MailsPage = {
		strings,
		locale,
		times: times(locale),
		link,
		done,
		areQuotesOpen: () => look.areQuotesOpen,
		// A thread shows all its mails itself.
		showPatch: () => undefined,
		slotElsewhere: () => undefined,
		moreActions: [{ text: strings.newMail, run: () => done(link.ask('newMail', undefined)) }],
	};
	const top = head(strings, done);
	function choose(next: ThreadLook): void {
		if (next.areQuotesOpen !== look.areQuotesOpen) {
			setQuotes(root, next.areQuotesOpen);
		}
		look = next;
		main.classList.toggle('no-wrap', !look.areLinesWrapped);
		done(link.ask('keepLook', look));
	}
	const bar = tools(strings, look, choose, step);
	const list = mails(
		page,
		kept.collapsed,
		(collapsed) => keep({ collapsed }),
		() => done(link.ask('again', undefined)),
	);
	const main = h(
		'main',
		{ class: look.areLinesWrapped ? 'column' : 'column no-wrap' },
		top.element,
		bar,
		seen,
		list.element,
		list.replies.end,
		heard,
	);
	const places = placeKeeper(
		kept.place,
		() => bar.getBoundingClientRect().bottom,
		(place) => keep({ place }),
		mark,
	);
	let marked: number | undefined;
	root.replaceChildren(main);

	function step(direction: 'next' | 'previous'): void {
		const current = places.current()?.dataset['mail'];
		const next = list.neighbour(current === undefined ? undefined : Number(current), direction);
		if (next !== undefined) {
			moveTo(next);
		}
	}

	function moveTo(mail: number): void {
		places.pin({ mail, top: bar.getBoundingClientRect().height + 8 });
		const focus = (): void => mailElement(mail)?.querySelector('article')?.focus({ preventScroll: true });
		// The focus of an element would take the keyboard from the view that opened the page.
		if (document.hasFocus()) {
			focus();
		} else {
			window.addEventListener('focus', focus, { signal: pageEnd, once: true });
		}
	}

	function showWanted(): void {
		if (wanted !== undefined && list.reveal(wanted)) {
			moveTo(wanted);
			wanted = undefined;
		}
	}

	/** Later mails are new too, but the page must not move then. */
	function placeAtFirstNew(change: ThreadMailsChange): void {
		if (change.kind !== 'mails') {
			return;
		}
		isPlaced ||= window.scrollY > 0;
		const first = isPlaced ? undefined : list.firstNew();
		if (first !== undefined && first !== list.neighbour(undefined, 'next')) {
			wanted = first;
		}
		isPlaced ||= first !== undefined || !change.goesOn;
	}

	/** Frames the target mail of commands and reports it to the host. */
	function mark(): void {
		const element = places.current();
		const mail = Number(element?.dataset['mail']);
		if (!element || wanted !== undefined || element.classList.contains('target')) {
			return;
		}
		document.querySelector('.target')?.classList.remove('target');
		element.classList.add('target');
		if (mail !== marked) {
			marked = mail;
			link.ask('mark', mail).catch(() => undefined);
		}
	}

	function* show(change: ThreadChange, shown: PageSteps | undefined): PageSteps {
		if (change.head) {
			top.show(change.head);
		}
		if (change.mails && shown) {
			yield* shown;
			if (change.mails.kind === 'mails' && change.mails.order?.[0] !== undefined) {
				list.replies.answerAtEnd(change.mails.order[0]);
			}
			placeAtFirstNew(change.mails);
			showWanted();
			places.settle();
			if (marked === undefined || change.mails.kind !== 'mails' || !change.mails.goesOn) {
				beforePicture(mark);
			}
		}
		if (change.replies) {
			list.replies.show(change.replies);
		}
	}

	const work = pageWork(nextTask(), () => performance.now());
	return {
		show: (change: ThreadChange) => work(show(change, change.mails && list.show(change.mails))),
		/** Opens the reply box of the mail in front. */
		reply() {
			const current = Number(places.current()?.dataset['mail'] ?? list.neighbour(undefined, 'next'));
			if (Number.isSafeInteger(current)) {
				list.replies.open(current);
			}
		},
		goTo(mail: number) {
			isPlaced = true;
			wanted = mail;
			showWanted();
		},
		step,
	};
}

let built: Built | undefined;
let startNumber = 0;

/** Shows the embedded data first, then the current data. */
function begin(start: ThreadPageStart): void {
	startNumber = start.number;
	if (start.failure === undefined) {
		built ??= build(start);
		if (start.entry !== undefined) {
			built.goTo(start.entry);
		}
		built.show(start.change ?? { head: undefined, mails: undefined });
		return;
	}
	built = undefined;
	const notice = failure(start.failure, start.strings.tryAgain, () => void open());
	root.replaceChildren(h('main', { class: 'column' }, h('div', { class: 'notice', role: 'alert' }, ...notice)));
}

async function open(): Promise<void> {
	const progress = h('div', { class: 'progress', 'aria-hidden': 'true' });
	root.append(progress);
	const start = await link.ask('load', startNumber);
	progress.remove();
	begin(start);
}

keep({});
link.on('reload', () => void open());
link.on('changed', (change) => built?.show(change));
link.on('goTo', (mail) => built?.goTo(mail));
link.on('step', (direction) => built?.step(direction));
link.on('reply', () => built?.reply());
swallowChords(window);
followLinks(document.body, (href) => {
	// The host reports a failed link. A rejected one does nothing, like any dead link.
	link.ask('follow', href).catch(() => undefined);
});
link.on('start', begin);
host.begin();
void open();

/** Page state saved over a reload; excludes the host's data. */
interface Kept {
	/** Mails with hidden answers. */
	readonly collapsed: readonly number[];
	readonly place: ReadingPlace | undefined;
}

/** Ignores invalid saved state. */
function keptFrom(value: unknown): Kept {
	const { collapsed, place } = fieldsOf(value);
	return { collapsed: collapsedIn(collapsed), place: keptPlace(place) };
}

/** Display options; stays visible while scrolling. */
function tools(
	strings: ThreadPageStrings,
	start: ThreadLook,
	choose: (look: ThreadLook) => void,
	step: (direction: 'next' | 'previous') => void,
): HTMLElement {
	let look = start;

	function toggle(text: string, name: keyof ThreadLook): HTMLElement {
		const button = h('button', { type: 'button', class: 'toggle', 'aria-pressed': String(look[name]) }, text);
		return onClick(button, () => {
			look = { ...look, [name]: !look[name] };
			button.setAttribute('aria-pressed', String(look[name]));
			choose(look);
		});
	}

	function move(text: string, direction: 'next' | 'previous'): HTMLElement {
		const button = h('button', { type: 'button', class: 'bare', 'aria-label': text, title: text }, icon(direction));
		return onClick(button, () => step(direction));
	}

	return h(
		'div',
		{ class: 'tools', role: 'group', 'aria-label': strings.tools },
		toggle(strings.wrap, 'areLinesWrapped'),
		toggle(strings.unfoldQuotes, 'areQuotesOpen'),
		h('span', { class: 'steps' }, move(strings.previousMail, 'previous'), move(strings.nextMail, 'next')),
	);
}

/** Subject, patchsets, and a notice about cached data. */
function head(strings: ThreadPageStrings, done: MailsPage['done']) {
	const element = h('header', { class: 'thread-head' });
	return {
		element,
		show({ subject, list, counts, patchsets, readBefore }: ThreadHeadView) {
			const links = patchsets.map(({ id, text }) =>
				h(
					'span',
					{ class: 'patchset-link' },
					icon('patchset'),
					linkButton(text, () => done(link.ask('openPatchset', id))),
				),
			);
			element.replaceChildren(
				h('p', { class: 'quiet' }, pilled(list)),
				h('h1', {}, pilled(subject)),
				h('p', { class: 'byline' }, h('span', {}, counts), ...links),
				...(readBefore === ''
					? []
					: [
							h(
								'div',
								{ class: 'notice', role: 'status' },
								...failure(readBefore, strings.tryAgain, () => done(link.ask('again', undefined))),
							),
						]),
			);
		},
	};
}

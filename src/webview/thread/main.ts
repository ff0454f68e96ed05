import type { ThreadPageStart, ThreadProtocol } from '../../protocol/threadProtocol.ts';
import type { ThreadChange } from '../../protocol/threadView.ts';
import { swallowChords } from '../chords.ts';
import { h } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { followLinks } from '../links.ts';
import { mailElement, placeKeeper } from '../place.ts';
import { setQuotes } from '../quoteFold.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { head } from './head.ts';
import { keptFrom, type Kept } from './kept.ts';
import { mails } from './mails.ts';
import { tools } from './tools.ts';

const host = connectHost<ThreadProtocol>();
const { link, root } = host;
let kept: Kept = keptFrom(host.kept);

function keep(change: Partial<Kept>): void {
	kept = { ...kept, ...change };
	host.keep({ ...kept });
}

/** The page, once it is built. */
interface Built {
	show(change: ThreadChange): void;
	goTo(mail: number): void;
	step(way: 'next' | 'previous'): void;
}

/** Builds the page once; what comes later only changes what is different. */
function build({ strings, locale, ...start }: ThreadPageStart): Built {
	let { look } = start;
	let wanted: number | undefined;
	const { seen, heard, done } = voice();
	const again = (): void => done(link.ask('again', undefined));
	const top = head({
		tryAgain: strings.tryAgain,
		again,
		openPatchset: (id) => done(link.ask('openPatchset', id)),
	});
	const bar = tools({
		strings,
		look,
		choose(next) {
			if (next.areQuotesOpen !== look.areQuotesOpen) {
				setQuotes(root, next.areQuotesOpen);
			}
			look = next;
			main.classList.toggle('no-wrap', !look.areLinesWrapped);
			done(link.ask('keepLook', look));
		},
		step,
	});
	const list = mails({
		strings,
		times: times(locale),
		collapsed: kept.collapsed,
		keepCollapsed: (collapsed) => keep({ collapsed }),
		again,
		readAgain: (mail) => done(link.ask('readAgain', mail)),
		readWhole: async (mail) => {
			await link.ask('readWhole', mail);
		},
		copy: (mail, what) => done(link.ask('copy', { mail, what }), strings.copied),
		openOnWeb: (mail) => done(link.ask('openOnWeb', mail)),
		openPerson: (name) => done(link.ask('openPerson', name)),
		waysOf: (mail) => ({
			strings: strings.mail,
			locale,
			areQuotesOpen: () => look.areQuotesOpen,
			openDiff: (part) => done(link.ask('openDiff', { mail, part })),
			showRaw: (part) => done(link.ask('showRaw', { mail, part })),
			openDocument: () => done(link.ask('openDocument', mail)),
			saveAttachment: (part) => done(link.ask('saveAttachment', { mail, part })),
			openAttachment: (part) => done(link.ask('openAttachment', { mail, part })),
		}),
	});
	const main = h(
		'main',
		{ class: look.areLinesWrapped ? 'column' : 'column no-wrap' },
		top.element,
		bar,
		seen,
		list.element,
		heard,
	);
	const places = placeKeeper({
		before: kept.place,
		below: () => bar.getBoundingClientRect().bottom,
		tell: (place) => keep({ place }),
	});
	root.replaceChildren(main);

	function step(way: 'next' | 'previous'): void {
		const current = places.current()?.dataset['mail'];
		const next = list.neighbour(current === undefined ? undefined : Number(current), way);
		if (next !== undefined) {
			moveTo(next);
		}
	}

	function moveTo(mail: number): void {
		places.pin({ mail, top: bar.getBoundingClientRect().height + 8 });
		mailElement(mail)?.querySelector('article')?.focus({ preventScroll: true });
	}

	/** The mail that somebody asked for is marked, so that it is found among the others. */
	function showWanted(): void {
		if (wanted !== undefined && list.reveal(wanted)) {
			document.querySelector('.target')?.classList.remove('target');
			mailElement(wanted)?.classList.add('target');
			moveTo(wanted);
			wanted = undefined;
		}
	}

	return {
		show(change) {
			if (change.head) {
				top.show(change.head);
			}
			if (change.mails) {
				list.show(change.mails);
				showWanted();
				places.settle();
			}
		},
		goTo(mail) {
			wanted = mail;
			showWanted();
		},
		step,
	};
}

let built: Built | undefined;
let startNumber = 0;

/** Shows what the host knew when it opened the page, and then what it knows now. */
function begin(start: ThreadPageStart): void {
	startNumber = start.number;
	if (start.failure === undefined) {
		built ??= build(start);
		if (start.target !== undefined) {
			built.goTo(start.target);
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
link.on('step', (way) => built?.step(way));
swallowChords(window);
followLinks(document.body, (href) => {
	// The host says why a link cannot be followed; one that it does not allow is like any dead link.
	link.ask('follow', href).catch(() => undefined);
});
link.on('start', begin);
host.begin();
void open();

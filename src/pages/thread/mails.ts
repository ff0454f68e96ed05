import type { HostLink } from '../hostLink.ts';
import type { Times } from '../times.ts';
import type {
	ThreadMailsChange,
	ThreadMailView,
	CopiedPart,
	ThreadPageStrings,
	ThreadProtocol,
} from '../protocol/threadProtocol.ts';
import { h, replaceChildren, onClick } from '../dom.ts';
import { failure } from '../failure.ts';
import type { MailContentView } from '../protocol/pageProtocol.ts';
import { fill, pilled } from '../texts.ts';
import { icon } from '../icons.ts';
import { attachmentList, linkButton, mailBlocks, type MailTextContext } from '../mailBlocks.ts';
import { cautionLines, receiversLine, senderLine, type PeopleContext } from '../mailPeople.ts';
import { pullPart } from '../pullPart.ts';
import { reasonOf } from '../voice.ts';

/** Shared by all elements of the page. */
export interface ThreadPage {
	readonly strings: ThreadPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly link: HostLink<ThreadProtocol>;
	/** Announces `text` on success, or shows the error. */
	readonly done: (asked: Promise<unknown>, text?: string) => void;
	readonly areQuotesOpen: () => boolean;
}

/** Longer threads use lazy layout. */
const many = 50;

interface Made {
	view: ThreadMailView;
	readonly item: HTMLElement;
	/** Last shown values; missing before the first time. */
	count?: number;
	isCollapsed?: boolean;
}

/** Keeps unchanged mails in place, so that reading and selections survive. */
export function mails(
	page: ThreadPage,
	startCollapsed: readonly number[],
	keepCollapsed: (ids: readonly number[]) => void,
) {
	const { strings, link, done } = page;
	const made = new Map<number, Made>();
	const collapsed = new Set(startCollapsed);
	let order: readonly number[] = [];
	const notice = h('div', { class: 'notice', role: 'status' }, strings.loading);
	const list = h('ol', { class: 'mails' });
	const element = h('section', { 'aria-label': strings.mails }, notice, list);

	function toggle(id: number): void {
		if (!collapsed.delete(id)) {
			collapsed.add(id);
		}
		keepCollapsed([...collapsed]);
		arrange();
	}

	function put(view: ThreadMailView): void {
		const known = made.get(view.id);
		if (known && JSON.stringify(known.view) === JSON.stringify(view)) {
			return;
		}
		// The answered person's name often arrives last; update only the name, so that open sections survive.
		const { answers } = view;
		if (
			answers !== undefined &&
			known?.view.answers !== undefined &&
			JSON.stringify({ ...known.view, answers }) === JSON.stringify(view)
		) {
			known.view = view;
			known.item.querySelector('.answering')?.replaceChildren(answeringText(answers, strings));
			return;
		}
		const item = mailItem(view, page, toggle);
		made.set(view.id, { view, item });
		if (known) {
			const hadFocus = known.item.contains(document.activeElement);
			item.classList.toggle('target', known.item.classList.contains('target'));
			known.item.replaceWith(item);
			if (hadFocus) {
				item.querySelector('article')?.focus({ preventScroll: true });
			}
		}
	}

	/** Orders the mails and hides collapsed answers. */
	function arrange(): void {
		const present = order.map((id) => made.get(id)).filter((each) => each !== undefined);
		replaceChildren(
			list,
			present.map(({ item }) => item),
		);
		list.classList.toggle('many', order.length > many);
		const counts = answerCounts(present.map(({ view }) => view.depth));
		let hiddenBelow: number | undefined;
		present.forEach((each, at) => {
			const { id, depth } = each.view;
			if (hiddenBelow !== undefined && depth <= hiddenBelow) {
				hiddenBelow = undefined;
			}
			each.item.hidden = hiddenBelow !== undefined;
			const count = counts[at] ?? 0;
			const isCollapsed = collapsed.has(id);
			if (each.count !== count || each.isCollapsed !== isCollapsed) {
				each.count = count;
				each.isCollapsed = isCollapsed;
				showAnswers(each.item, { count, isCollapsed }, strings);
			}
			if (isCollapsed) {
				hiddenBelow ??= depth;
			}
		});
	}

	return {
		element,
		show(change: ThreadMailsChange) {
			if (change.kind !== 'mails') {
				notice.replaceChildren(
					...(change.kind === 'failed'
						? failure(change.reason, strings.tryAgain, () => done(link.ask('again', undefined)))
						: [strings.loading]),
				);
				return;
			}
			order = change.order ?? order;
			change.put.forEach(put);
			const present = new Set(order);
			for (const id of made.keys()) {
				if (!present.has(id)) {
					made.delete(id);
				}
			}
			arrange();
			notice.replaceChildren(...(order.length === 0 && !change.goesOn ? [strings.noMails] : []));
		},
		/** Unfolds all ancestors of a mail; `false` while it is missing. */
		reveal(id: number) {
			const at = order.indexOf(id);
			if (at === -1 || !made.has(id)) {
				return false;
			}
			let depth = made.get(id)?.view.depth ?? 0;
			for (const above of order.slice(0, at).toReversed()) {
				const view = made.get(above)?.view;
				if (view && view.depth < depth) {
					({ depth } = view);
					collapsed.delete(above);
				}
			}
			arrange();
			return true;
		},
		/** The mail after or before this one in reading order; without an id, from the start. */
		neighbour(id: number | undefined, direction: 'next' | 'previous') {
			const visible = order.filter((each) => made.get(each)?.item.hidden === false);
			if (id === undefined) {
				return visible[0];
			}
			return visible[visible.indexOf(id) + (direction === 'next' ? 1 : -1)];
		},
	};
}

/** Number of direct and indirect answers of each mail; `depths` in reading order. */
function answerCounts(depths: readonly number[]): readonly number[] {
	const counts = depths.map(() => 0);
	/** Ancestors of the current mail. */
	const above: number[] = [];
	depths.forEach((depth, at) => {
		while (above.length > 0 && (depths[above.at(-1) ?? 0] ?? 0) >= depth) {
			above.pop();
		}
		for (const each of above) {
			counts[each] = (counts[each] ?? 0) + 1;
		}
		above.push(at);
	});
	return counts;
}

/** Maximum indentation, because the page has limited width. */
const deepest = 8;

/** A mail with sender, time and text. `toggle` hides or shows its answers. */
function mailItem(view: ThreadMailView, page: ThreadPage, toggle: (mail: number) => void): HTMLElement {
	const { strings } = page;
	const { id } = view;
	const content = view.text.kind === 'read' ? view.text.content : undefined;
	const people = peopleOf(page);
	const who = senderLine({ from: content?.from ?? [], account: view.account }, people);
	who.id = `who-${id}`;
	if (content && content.morePeople.from > 0) {
		who.append(` ${fill(strings.mail.andMore, String(content.morePeople.from))}`);
	}
	const answering =
		view.answers === undefined
			? undefined
			: h('span', { class: 'answering quiet' }, answeringText(view.answers, strings));
	const more = h('div', { class: 'mail-more', hidden: true }, ...details(view, page));
	const attributes = { type: 'button', class: 'bare collapse', hidden: true, 'aria-expanded': 'true' };
	const collapse = h('button', { ...attributes, 'aria-label': strings.hideAnswers }, icon('more'));
	const header = h(
		'header',
		{},
		onClick(collapse, () => toggle(id)),
		h(
			'div',
			{ class: 'mail-head' },
			h('h2', { id: `head-${id}` }, who),
			h('span', { class: 'when' }, page.times.element(view.atMs)),
			view.isNew ? h('span', { class: 'read-aloud' }, strings.fresh) : undefined,
			answering,
			h('span', { class: 'hidden-answers quiet', role: 'status' }),
		),
		disclosure(strings.actions, more, `who-${id}`),
	);
	const article = h(
		'article',
		{ 'aria-labelledby': `who-${id}`, tabindex: '-1' },
		header,
		more,
		view.subject === undefined ? undefined : h('p', { class: 'mail-subject' }, pilled(view.subject)),
		...textParts(view, page),
	);
	const item = h('li', { class: view.isNew ? 'mail fresh-mail' : 'mail', 'data-mail': String(id) }, article);
	if (view.isNew) {
		item.prepend(h('div', { class: 'fresh', 'aria-hidden': 'true' }, h('span', {}, strings.fresh)));
	}
	item.style.setProperty('--depth', String(Math.min(deepest, view.depth)));
	return item;
}

function answeringText(answers: string, strings: ThreadPageStrings): Node {
	return pilled(fill(strings.answering, answers));
}

function textParts({ id, text }: ThreadMailView, page: ThreadPage): readonly (HTMLElement | undefined)[] {
	const { strings, locale, link, done, areQuotesOpen } = page;
	switch (text.kind) {
		case 'reading':
			return [h('p', { class: 'quiet mail-notice' }, strings.reading)];
		case 'failed':
			return [
				h(
					'p',
					{ class: 'failure mail-notice' },
					icon('error'),
					h('span', {}, pilled(text.reason)),
					linkButton(strings.tryAgain, () => done(link.ask('readAgain', id))),
				),
			];
		case 'read': {
			const { content } = text;
			const context: MailTextContext = {
				strings: strings.mail,
				locale,
				areQuotesOpen,
				openDiff: (part) => done(link.ask('openDiff', { mail: id, part })),
				showRaw: (part) => done(link.ask('showRaw', { mail: id, part })),
				openDocument: () => openDocument(id, page),
				saveAttachment: (part) => done(link.ask('saveAttachment', { mail: id, part })),
				openAttachment: (part) => done(link.ask('openAttachment', { mail: id, part })),
			};
			return [
				text.pull &&
					pullPart(text.pull, strings.mail, {
						openChanges: () => done(link.ask('openPullChanges', id)),
						copyFetchCommand: () => done(link.ask('copyFetchCommand', id), strings.copied),
						fetch: () => done(link.ask('fetchPull', id)),
					}),
				...cautionLines(content.cautions, strings.mail),
				content.raw && rawNotice(id, content.raw, page),
				h('div', { class: 'mail-body' }, ...mailBlocks(content.blocks, context)),
				attachmentList(content.attachments, content.moreAttachments, context),
			];
		}
	}
}

function openDocument(id: number, { link, done }: ThreadPage): void {
	done(link.ask('openDocument', id));
}

function peopleOf({ strings, link, done }: ThreadPage): PeopleContext {
	return { strings: strings.mail, openPerson: (name) => done(link.ask('openPerson', name)) };
}

function rawNotice(id: number, raw: NonNullable<MailContentView['raw']>, { strings, link }: ThreadPage): HTMLElement {
	const said = h('span', { class: 'failure', role: 'status' });
	const notice = h('p', { class: 'mail-notice raw' }, icon('warning'), h('span', {}, pilled(raw.note)), ' ');
	if (raw.canReadWhole) {
		const button = linkButton(strings.mail.readWhole, () => {
			button.disabled = true;
			said.textContent = '';
			link.ask('readWhole', id).catch((error: unknown) => {
				button.disabled = false;
				said.textContent = reasonOf(error);
			});
		});
		notice.append(button, said);
	}
	return notice;
}

/** Updates the number and visibility of a mail's answers. */
function showAnswers(
	item: HTMLElement,
	{ count, isCollapsed }: { readonly count: number; readonly isCollapsed: boolean },
	strings: ThreadPageStrings,
): void {
	const button = item.querySelector<HTMLElement>('.collapse');
	const said = item.querySelector<HTMLElement>('.hidden-answers');
	if (!button || !said) {
		return;
	}
	const text = !isCollapsed ? '' : count === 1 ? strings.oneHiddenAnswer : fill(strings.hiddenAnswers, String(count));
	button.toggleAttribute('hidden', count === 0);
	button.setAttribute('aria-expanded', String(!isCollapsed));
	button.setAttribute('aria-label', isCollapsed ? strings.showAnswers : strings.hideAnswers);
	if (said.textContent !== text) {
		said.textContent = text;
	}
}

/** Secondary data: recipients, Message-ID and actions. */
function details({ id, messageId, text }: ThreadMailView, page: ThreadPage): readonly HTMLElement[] {
	const { strings, link, done } = page;
	const copy = (what: CopiedPart): void => done(link.ask('copy', { mail: id, what }), strings.copied);
	const content = text.kind === 'read' ? text.content : undefined;
	const people = peopleOf(page);
	return [
		...(content && content.to.length > 0
			? [receiversLine(strings.mail.to, content.to, { ...people, more: content.morePeople.to })]
			: []),
		...(content && content.cc.length > 0
			? [receiversLine(strings.mail.cc, content.cc, { ...people, more: content.morePeople.cc })]
			: []),
		h('p', { class: 'receivers quiet' }, 'Message-ID: ', h('span', { class: 'path' }, pilled(messageId))),
		h(
			'div',
			{ class: 'mail-actions' },
			linkButton(strings.reply, () => done(link.ask('reply', id))),
			linkButton(strings.newMail, () => done(link.ask('newMail', undefined))),
			linkButton(strings.copyLink, () => copy('link')),
			linkButton(strings.copyMessageId, () => copy('messageId')),
			linkButton(strings.openOnWeb, () => done(link.ask('openOnWeb', id))),
			linkButton(strings.mail.openDocument, () => openDocument(id, page)),
		),
	];
}

function disclosure(text: string, content: HTMLElement, about: string): HTMLElement {
	const button = h(
		'button',
		{
			type: 'button',
			class: 'bare more-actions',
			'aria-expanded': 'false',
			'aria-label': text,
			'aria-describedby': about,
		},
		icon('actions'),
	);
	return onClick(button, () => {
		const isShown = content.hidden;
		content.hidden = !isShown;
		button.setAttribute('aria-expanded', String(isShown));
	});
}

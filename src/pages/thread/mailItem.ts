import type { CopiedPart } from '../protocol/threadProtocol.ts';
import type { ThreadPageStrings } from '../protocol/threadStrings.ts';
import type { ThreadMailView } from '../protocol/threadView.ts';
import type { MailContentView } from '../protocol/mailView.ts';
import { h, onClick } from '../dom.ts';
import { fill } from '../fill.ts';
import { icon } from '../icons.ts';
import { attachmentList, linkButton, mailBlocks, type MailTextContext } from '../mailBlocks.ts';
import { cautionLines, receiversLine, senderLine } from '../mailPeople.ts';
import { pullPart } from '../pullPart.ts';
import { pilled } from '../texts.ts';
import type { Times } from '../times.ts';
import { reasonOf } from '../voice.ts';

/** Shared tools and actions for a mail. */
export interface MailActions {
	readonly strings: ThreadPageStrings;
	readonly times: Times;
	readonly contextOf: (mail: number) => MailTextContext;
	readonly openPerson: (name: string) => void;
	readonly readAgain: (mail: number) => void;
	readonly readWhole: (mail: number) => Promise<void>;
	readonly copy: (mail: number, what: CopiedPart) => void;
	readonly openOnWeb: (mail: number) => void;
	readonly openPullChanges: (mail: number) => void;
	readonly copyFetchCommand: (mail: number) => void;
	readonly fetchPull: (mail: number) => void;
	readonly reply: (mail: number) => void;
	/** Opens a new mail to the list. */
	readonly newMail: () => void;
	/** Hides or shows the answers. */
	readonly toggle: (mail: number) => void;
}

/** Maximum indentation, because the page has limited width. */
const deepest = 8;

/** A mail with sender, time and text. */
export function mailItem(view: ThreadMailView, actions: MailActions): HTMLElement {
	const { strings } = actions;
	const { id } = view;
	const content = view.text.kind === 'read' ? view.text.content : undefined;
	const people = { strings: strings.mail, openPerson: actions.openPerson };
	const who = senderLine({ from: content?.from ?? [], account: view.account }, people);
	who.id = `who-${id}`;
	if (content && content.morePeople.from > 0) {
		who.append(` ${fill(strings.mail.andMore, String(content.morePeople.from))}`);
	}
	const answering =
		view.answers === undefined
			? undefined
			: h('span', { class: 'answering quiet' }, answeringText(view.answers, strings));
	const more = h('div', { class: 'mail-more', hidden: true }, ...details(view, actions));
	const header = h(
		'header',
		{},
		collapseButton(id, actions),
		h(
			'div',
			{ class: 'mail-head' },
			h('h2', { id: `head-${id}` }, who),
			h('span', { class: 'when' }, actions.times.element(view.atMs)),
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
		...textParts(view, actions),
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

/** Updates the name of the answered person. */
export function showAnswered(item: HTMLElement, answers: string, strings: ThreadPageStrings): void {
	item.querySelector('.answering')?.replaceChildren(answeringText(answers, strings));
}

function textParts({ id, text }: ThreadMailView, actions: MailActions): readonly (HTMLElement | undefined)[] {
	const { strings } = actions;
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
					linkButton(strings.tryAgain, () => actions.readAgain(id)),
				),
			];
		case 'read':
			return [
				text.pull &&
					pullPart(text.pull, strings.mail, {
						openChanges: () => actions.openPullChanges(id),
						copyFetchCommand: () => actions.copyFetchCommand(id),
						fetch: () => actions.fetchPull(id),
					}),
				...contentParts(id, text.content, actions),
			];
	}
}

function contentParts(
	id: number,
	content: MailContentView,
	actions: MailActions,
): readonly (HTMLElement | undefined)[] {
	const context = actions.contextOf(id);
	const { strings } = context;
	return [
		...cautionLines(content.cautions, strings),
		content.raw && rawNotice(id, content.raw, actions),
		h('div', { class: 'mail-body' }, ...mailBlocks(content.blocks, context)),
		attachmentList(content.attachments, content.moreAttachments, context),
	];
}

function rawNotice(id: number, raw: NonNullable<MailContentView['raw']>, actions: MailActions): HTMLElement {
	const { strings } = actions.contextOf(id);
	const said = h('span', { class: 'failure', role: 'status' });
	const notice = h('p', { class: 'mail-notice raw' }, icon('warning'), h('span', {}, pilled(raw.note)), ' ');
	if (raw.canReadWhole) {
		const button = linkButton(strings.readWhole, () => {
			button.disabled = true;
			said.textContent = '';
			actions.readWhole(id).catch((error: unknown) => {
				button.disabled = false;
				said.textContent = reasonOf(error);
			});
		});
		notice.append(button, said);
	}
	return notice;
}

function collapseButton(id: number, { strings, toggle }: MailActions): HTMLElement {
	const button = h(
		'button',
		{
			type: 'button',
			class: 'bare collapse',
			hidden: true,
			'aria-expanded': 'true',
			'aria-label': strings.hideAnswers,
		},
		icon('more'),
	);
	return onClick(button, () => toggle(id));
}

/** Updates the number and visibility of a mail's answers. */
export function showAnswers(
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
function details({ id, messageId, text }: ThreadMailView, actions: MailActions): readonly HTMLElement[] {
	const { strings } = actions;
	const content = text.kind === 'read' ? text.content : undefined;
	const people = { strings: strings.mail, openPerson: actions.openPerson };
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
			linkButton(strings.reply, () => actions.reply(id)),
			linkButton(strings.newMail, () => actions.newMail()),
			linkButton(strings.copyLink, () => actions.copy(id, 'link')),
			linkButton(strings.copyMessageId, () => actions.copy(id, 'messageId')),
			linkButton(strings.openOnWeb, () => actions.openOnWeb(id)),
			linkButton(strings.mail.openDocument, () => actions.contextOf(id).openDocument()),
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

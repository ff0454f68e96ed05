import { h, onClick, pushButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { attachmentList, linkButton, mailBlocks, type MailTextContext } from '../mailBlocks.ts';
import { cautionLines, receiversLine, senderLine } from '../mailPeople.ts';
import type { MailContentView } from '../protocol/pageProtocol.ts';
import type { CopiedPart, MailsStrings, ThreadMailView } from '../protocol/mailsProtocol.ts';
import { pullPart } from '../pullPart.ts';
import { fill, pilled } from '../texts.ts';
import { reasonOf } from '../voice.ts';
import { peopleOf, type MailsPage } from './mailsPage.ts';

/** Maximum indentation, because the page has limited width. */
const deepest = 8;

/** A mail with sender, time and text. `reply` opens the box for one. */
export function mailItem(view: ThreadMailView, page: MailsPage, reply: (mail: number) => void): HTMLElement {
	const { strings } = page;
	const { id } = view;
	if (view.text.kind === 'patch') {
		return patchHead(view, view.text.title, page);
	}
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
	const header = h(
		'header',
		{},
		h(
			'div',
			{ class: 'mail-head' },
			h('h2', {}, who),
			h('span', { class: 'when' }, page.times.element(view.atMs)),
			view.isNew ? h('span', { class: 'read-aloud' }, strings.fresh) : undefined,
			answering,
			h('span', { class: 'hidden-answers quiet', role: 'status' }),
		),
		pushButton({ class: 'link reply', 'aria-describedby': `who-${id}` }, () => reply(id), strings.reply),
		disclosure(strings.actions, () => details(view, page), `who-${id}`),
	);
	const article = h(
		'article',
		{ 'aria-labelledby': `who-${id}`, tabindex: '-1' },
		header,
		view.subject === undefined ? undefined : h('p', { class: 'mail-subject' }, pilled(view.subject)),
		...textParts(view, page),
	);
	const kind = view.isNew ? 'mail fresh-mail' : 'mail';
	const item = h('div', { class: kind, role: 'listitem', 'data-mail': String(id) }, article);
	if (view.isNew) {
		item.prepend(h('div', { class: 'fresh', 'aria-hidden': 'true' }, h('span', {}, strings.fresh)));
	}
	item.style.setProperty('--depth', String(Math.min(deepest, view.depth)));
	return item;
}

/** A patch as the head of its replies. It is no place of reading: the page shows the patch elsewhere. */
function patchHead({ id, depth }: ThreadMailView, title: string, page: MailsPage): HTMLElement {
	const button = h('button', { type: 'button', class: 'link' }, pilled(title));
	const item = h(
		'div',
		{ class: 'mail patch-head', role: 'listitem' },
		h(
			'header',
			{},
			h(
				'div',
				{ class: 'mail-head' },
				h(
					'h2',
					{},
					onClick(button, () => page.showPatch(id)),
				),
				h('span', { class: 'hidden-answers quiet', role: 'status' }),
			),
		),
	);
	item.style.setProperty('--depth', String(Math.min(deepest, depth)));
	return item;
}

export function answeringText(answers: string, strings: MailsStrings): Node {
	return pilled(fill(strings.answering, answers));
}

function textParts({ id, text }: ThreadMailView, page: MailsPage): readonly (HTMLElement | undefined)[] {
	const { strings, locale, link, done, areQuotesOpen } = page;
	switch (text.kind) {
		case 'reading':
			return [h('p', { class: 'quiet mail-notice' }, strings.reading)];
		case 'patch':
			return [];
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

function openDocument(id: number, { link, done }: MailsPage): void {
	done(link.ask('openDocument', id));
}

function rawNotice(id: number, raw: NonNullable<MailContentView['raw']>, { strings, link }: MailsPage): HTMLElement {
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

/** Secondary data: recipients, Message-ID and actions. */
function details({ id, messageId, text }: ThreadMailView, page: MailsPage): readonly HTMLElement[] {
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
			...page.moreActions.map((each) => linkButton(each.text, each.run)),
			linkButton(strings.copyLink, () => copy('link')),
			linkButton(strings.copyMessageId, () => copy('messageId')),
			linkButton(strings.openOnWeb, () => done(link.ask('openOnWeb', id))),
			linkButton(strings.mail.openDocument, () => openDocument(id, page)),
		),
	];
}

/** Makes the content below the header when it opens. */
function disclosure(text: string, make: () => readonly HTMLElement[], about: string): HTMLElement {
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
	let content: HTMLElement | undefined;
	return onClick(button, () => {
		if (content) {
			content.remove();
			content = undefined;
		} else {
			content = h('div', { class: 'mail-more' }, ...make());
			button.closest('header')?.after(content);
		}
		button.setAttribute('aria-expanded', String(content !== undefined));
	});
}

import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import commentDraft from '@vscode/codicons/src/icons/comment-draft.svg';
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import errorPicture from '@vscode/codicons/src/icons/error.svg';
import lightbulb from '@vscode/codicons/src/icons/lightbulb.svg';
import passFilled from '@vscode/codicons/src/icons/pass-filled.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import send from '@vscode/codicons/src/icons/send.svg';
import sync from '@vscode/codicons/src/icons/sync.svg';
import verified from '@vscode/codicons/src/icons/verified.svg';
import watch from '@vscode/codicons/src/icons/watch.svg';
import { h, setAttributes, pushButton } from '../dom.ts';
import { fillElement, markdownText, dot, pilled } from '../texts.ts';
import { icon, icons, statusPictures } from '../icons.ts';
import { cautionLines, personParts } from '../mailPeople.ts';
import { menu, moreMenu } from '../menu.ts';
import type {
	StatusIcon,
	ToolIcon,
	PagePart,
	PatchsetHeadView,
	StandingView,
	ToolView,
} from '../protocol/patchsetProtocol.ts';
import { referenceButton } from '../referenceButton.ts';
import { partFailure, type PageContext } from './pageContext.ts';

export const patchsetIcon = icons<
	StatusIcon | 'thread' | 'diffs' | 'review' | 'suggestion' | 'comment' | 'trailer' | 'send'
>({
	...statusPictures,
	thread: commentDiscussion,
	diffs: diffMultiple,
	review: commentDraft,
	suggestion: lightbulb,
	comment,
	trailer: verified,
	send,
});

const toolIcon = icons<ToolIcon>({
	pending: sync,
	waiting: watch,
	success: passFilled,
	failed: errorPicture,
	cancelled: circleSlash,
	unknownState: question,
});

/** Draws only changed data, so that selections and open sections survive. */
export function ifOther<T>(draw: (view: T) => void): (view: T) => void {
	let said = '';
	return (view) => {
		const now = JSON.stringify(view);
		if (now !== said) {
			said = now;
			draw(view);
		}
	};
}

/** Reference, status, version, title, sender, times and actions of the patchset. `write` opens a box of the page. */
export function head(context: PageContext, write: (what: 'comment' | 'reply') => void) {
	const { strings, times } = context;
	const reference = referenceButton(strings.copyReference, () => context.run('copyReference'));
	const status = h('button', { class: 'status', type: 'button' });
	const statuses = menu(status, strings.setStatus);
	const version = h('button', { class: 'version', type: 'button' });
	const versions = menu(version, strings.versions);
	const title = h('h1');
	const byline = h('p', { class: 'byline' });
	const cautions = h('div', { class: 'cautions' });
	const applies = h('p', { class: 'applies' });
	const tools = h('ul', { class: 'tools', 'aria-label': strings.tools });
	const actions = buttons(context, write);
	const failure = h('div');
	const more = moreMenu(strings, () => context.run('openOnWeb'), [
		{ text: strings.openDiffs, run: () => context.run('openDiffs') },
		{ text: strings.openThread, run: () => context.run('openThread') },
		{ text: strings.previewReview, run: () => context.run('previewReview') },
		{ text: strings.save, run: () => context.run('save') },
		{ text: strings.copyLink, run: () => context.run('copyLink') },
		{ text: strings.copyMessageId, run: () => context.run('copyMessageId') },
		{ text: strings.copyCommand, run: () => context.run('copyCommand') },
		{ text: strings.checkApplies, run: () => context.run('checkApplies') },
	]);
	const facts = h('div', { class: 'facts' }, reference.element, statuses.element, versions.element, more);
	const element = h(
		'header',
		{ class: 'patchset-head' },
		facts,
		title,
		byline,
		applies,
		tools,
		cautions,
		actions.element,
		failure,
	);
	element.hidden = true;

	function showHead(view: PatchsetHeadView): void {
		reference.show(view.reference);
		// Patchsets of archives have none.
		statuses.element.hidden = view.status.text === '';
		setAttributes(status, {
			class: `status status-${view.status.icon}`,
			title: view.whoMay,
			'aria-description': `${strings.setStatus}. ${view.whoMay}`,
		});
		status.replaceChildren(patchsetIcon(view.status.icon), h('span', {}, pilled(view.status.text)), icon('more'));
		statuses.show([
			{ text: view.status.text, isChecked: true, run: () => undefined },
			...view.statuses.map(({ word, text }) => ({
				text,
				isChecked: false,
				reason: view.canSetStatus ? undefined : view.whoMay,
				run: () => context.ask('setStatus', word),
			})),
		]);
		version.replaceChildren(h('span', {}, pilled(`${view.prefix} ${view.version}`.trim())), icon('more'));
		setAttributes(version, { 'aria-description': strings.versions });
		title.replaceChildren(pilled(view.title));
		applies.replaceChildren(...(view.applies === '' ? [] : [pilled(view.applies)]));
		applies.hidden = view.applies === '';
		tools.hidden = view.tools.length === 0;
		showTools(view.tools);
		actions.apply.hidden = !view.canApply;
		byline.replaceChildren(
			...(view.submitter ? [...personParts(view.submitter, context.people), dot()] : []),
			...fillElement(strings.sent, times.element(view.sentAtMs)),
			...(view.updatedAtMs > view.sentAtMs
				? [dot(), ...fillElement(strings.updated, times.element(view.updatedAtMs))]
				: []),
			...(view.place === '' ? [] : [dot(), view.place]),
		);
	}

	const showTools = ifOther((views: readonly ToolView[]) =>
		tools.replaceChildren(
			...views.map(({ icon: name, text, html, updatedAtMs }) =>
				h(
					'li',
					{ class: `tool tool-${name}` },
					toolIcon(name),
					h('strong', {}, pilled(text)),
					markdownText(html ?? ''),
					h('span', { class: 'quiet' }, ...fillElement(strings.updated, times.element(updatedAtMs))),
				),
			),
		),
	);

	const linkByHand = { text: strings.linkVersion, run: () => context.run('linkVersion') };
	versions.show([linkByHand]);

	return {
		element,
		show({ value, failure: reason }: PagePart<PatchsetHeadView>) {
			element.hidden = false;
			for (const part of [facts, title, byline]) {
				part.hidden = value === undefined;
			}
			if (value) {
				showHead(value);
			}
			failure.replaceChildren(...partFailure('head', reason, context));
		},
		/** Adds data from the mails. */
		showStanding(standing: StandingView) {
			cautions.replaceChildren(...cautionLines(standing.cautions, strings.mail));
			versions.show([
				...standing.versions.map(({ id, isThis, ...other }) => ({
					text: [other.version, other.status, isThis ? strings.thisVersion : other.link]
						.filter((part) => part !== '')
						.join(' · '),
					isChecked: isThis,
					run: () => (isThis ? undefined : context.ask('openPatchset', id)),
				})),
				linkByHand,
			]);
		},
	};
}

function buttons(context: PageContext, write: (what: 'comment' | 'reply') => void) {
	const { strings, run } = context;
	const apply = pushButton('secondary', () => run('apply'), patchsetIcon('applied'), strings.apply);
	const element = h(
		'div',
		{ class: 'actions' },
		pushButton('primary', () => run('nextUnviewed'), patchsetIcon('diffs'), strings.firstUnviewed),
		pushButton('secondary', () => write('comment'), patchsetIcon('comment'), strings.comment),
		pushButton('secondary', () => write('reply'), patchsetIcon('thread'), strings.reply),
		pushButton('secondary', () => run('addTrailer'), patchsetIcon('trailer'), strings.addTrailer),
		pushButton('secondary', () => run('sendReview'), patchsetIcon('send'), strings.sendReview),
		apply,
	);
	return { element, apply };
}

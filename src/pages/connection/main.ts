import type {
	ConnectionProtocol,
	ConnectionStart,
	ConnectionStrings,
	GroupView,
	LineLevel,
	LineView,
} from '../protocol/connectionProtocol.ts';
import { h, pushButton, replaceChildren } from '../dom.ts';
import { connectHost } from '../host.ts';
import { icons } from '../icons.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { pilled } from '../texts.ts';
import { voice } from '../voice.ts';
import circleLarge from '@vscode/codicons/src/icons/circle-large.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import passFilled from '@vscode/codicons/src/icons/pass-filled.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

const levelIcon = icons<LineLevel>({ ok: passFilled, warning, action: error, waiting: circleLarge });

const host = connectHost<ConnectionProtocol>();
const { link, root } = host;
const top = keptTop(host);

beginPage(host, ({ strings }: ConnectionStart) => {
	const { seen, heard, say, done } = voice();
	let isRunning = true;
	/** One button for both: it keeps the keyboard when the checks end. */
	const turn = pushButton('secondary', () => done(link.ask(isRunning ? 'cancel' : 'again', undefined)));
	const copy = pushButton('primary', () => done(link.ask('copy', undefined), strings.copied), strings.copy);
	const summary = h('p', { class: 'summary' });
	const groups = h('div', { class: 'groups' });
	const progress = h('div', { class: 'progress', 'aria-hidden': 'true' });
	const nodeOf = groupNodes(strings, (key) => done(link.ask('repair', key)));
	root.replaceChildren(
		h(
			'main',
			{ class: 'column' },
			progress,
			h('header', {}, h('h1', {}, strings.title), summary, h('div', { class: 'actions' }, copy, turn)),
			seen,
			groups,
			heard,
		),
	);
	return (view) => {
		isRunning = view.isRunning;
		progress.hidden = !isRunning;
		groups.setAttribute('aria-busy', String(isRunning));
		turn.textContent = isRunning ? strings.cancel : strings.again;
		if (summary.textContent !== view.summary) {
			summary.textContent = view.summary;
			say(view.summary);
		}
		replaceChildren(groups, view.groups.map(nodeOf));
		top.settle();
	};
});

/** Keeps unchanged lines in place, so that the keyboard and a selection survive the arrival of others. */
function groupNodes(strings: ConnectionStrings, repair: (key: string) => void) {
	const made = new Map<string, { readonly said: string; readonly element: HTMLElement }>();
	const lists = new Map<string, { readonly element: HTMLElement; readonly list: HTMLElement }>();

	function lineNode(line: LineView): HTMLElement {
		const { key, level, text, remedy } = line;
		const said = JSON.stringify(line);
		const known = made.get(key);
		if (known?.said === said) {
			return known.element;
		}
		const element = h(
			'li',
			{ class: `line ${level}` },
			levelIcon(level),
			h('span', { class: 'read-aloud' }, `${strings.levels[level]}: `),
			h('span', { class: 'text' }, pilled(text)),
			remedy === undefined ? undefined : pushButton('secondary', () => repair(key), remedy),
		);
		made.set(key, { said, element });
		return element;
	}

	return ({ title, lines }: GroupView, at: number): HTMLElement => {
		const key = `${at} ${title}`;
		let group = lists.get(key);
		if (!group) {
			const id = `group-${at}`;
			const list = h('ul', { class: 'lines' });
			group = { element: h('section', { 'aria-labelledby': id }, h('h2', { id }, pilled(title)), list), list };
			lists.set(key, group);
		}
		replaceChildren(group.list, lines.map(lineNode));
		return group.element;
	};
}

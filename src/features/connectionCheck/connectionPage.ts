import * as vscode from 'vscode';
import type { Event } from '@forge-desk/base/event.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import type { PageContent, PageLink } from '../../editor/pages/pageHost.ts';
import { action, clickedHref, handler, nothing, type Handlers } from '../../pages/protocol/pageProtocol.ts';
import {
	connectionStrings,
	lineKey,
	type ConnectionProtocol,
	type ConnectionStart,
	type ConnectionView,
	type LineView,
} from '../../pages/protocol/connectionProtocol.ts';
import type { CheckContext } from './checkContext.ts';
import { checkRun, type CheckRun, type ShownGroup } from './checkRun.ts';
import type { Line } from './line.ts';
import { reportText } from './reportText.ts';

/** The page has no subject besides itself. */
export const connectionSubject = { kind: 'connectionCheck' } as const;

/**
 * The report of Check Connection. It starts at once, and shows each line when it arrives. `onWanted`: somebody ran the
 * command again.
 */
export function connectionPage(context: CheckContext, onWanted: Event<void>): PageContent<ConnectionProtocol> {
	return {
		type: 'forge.connection',
		key: 'connection',
		title: vscode.l10n.t('Check Connection'),
		icon: 'pulse',
		subject: connectionSubject,
		script: 'connection.js',
		styles: ['page.css', 'connectionPage.css'],
		keptOpenBy: ['repair', 'copy'],
		connect(link) {
			const page = openChecks(context, link);
			page.begin();
			link.owned.add(onWanted(() => page.beginOnceEnded()));
			const handlers: Handlers<ConnectionProtocol> = {
				load: handler(nothing, async () => page.start()),
				again: action(nothing, () => page.begin()),
				// The page shows no links.
				follow: action(clickedHref, () => undefined),
				cancel: action(nothing, () => page.cancel()),
				copy: action(nothing, () => copyText(reportText(page.groups(), context.program))),
				repair: action(lineKey, (key) => repair(page.lineAt(key))),
			};
			return { handlers, start: page.start() };
		},
	};
}

function openChecks(context: CheckContext, link: PageLink<ConnectionProtocol>) {
	let running: { readonly run: CheckRun; readonly ending: AbortController } | undefined;
	let number = 0;

	const view = (): ConnectionView => viewOf(running?.run, number);
	const tell = (): void => link.tell('changed', view());
	const cancel = (): void => running?.ending.abort();
	link.owned.add({ dispose: cancel });
	// A hidden page misses lines.
	link.owned.add(link.onDidShow(tell));

	function begin(): void {
		cancel();
		const ending = new AbortController();
		const run = checkRun(
			context,
			() => {
				// An earlier run may end later.
				if (running?.ending === ending) {
					tell();
				}
			},
			ending.signal,
		);
		running = { run, ending };
		number += 1;
		tell();
	}

	return {
		begin,
		beginOnceEnded() {
			if (running?.run.isRunning() !== true) {
				begin();
			}
		},
		cancel,
		groups: () => running?.run.groups() ?? [],
		/** `undefined` for a line of an earlier run. */
		lineAt: (key: string) => lineAt(running?.run.groups() ?? [], number, key),
		start: (): ConnectionStart => ({
			locale: vscode.env.language,
			strings: connectionStrings(vscode.l10n),
			change: view(),
		}),
	};
}

const keyOf = (...at: readonly number[]): string => at.join('.');

function viewOf(run: CheckRun | undefined, number: number): ConnectionView {
	const groups = run?.groups() ?? [];
	const isRunning = run?.isRunning() ?? true;
	return {
		isRunning,
		summary: summaryText(groups, isRunning),
		groups: groups.map(({ title, checks }, group) => ({
			title,
			lines: checks.flatMap(({ about, lines }, check): readonly LineView[] =>
				lines === undefined
					? [{ key: keyOf(number, group, check), level: 'waiting', text: about, remedy: undefined }]
					: lines.map(({ level, text, remedy }, line) => ({
							key: keyOf(number, group, check, line),
							level,
							text,
							remedy: remedy?.label,
						})),
			),
		})),
	};
}

function summaryText(groups: readonly ShownGroup[], isRunning: boolean): string {
	if (isRunning) {
		return vscode.l10n.t('Checking the connection…');
	}
	const levels = groups.flatMap(({ checks }) => checks.flatMap(({ lines = [] }) => lines.map(({ level }) => level)));
	const actions = levels.filter((level) => level === 'action').length;
	const warnings = levels.filter((level) => level === 'warning').length;
	const texts = [
		...(actions === 1 ? [vscode.l10n.t('1 line needs an action.')] : []),
		...(actions > 1 ? [vscode.l10n.t('{0} lines need an action.', actions)] : []),
		...(warnings === 1 ? [vscode.l10n.t('1 line is a warning.')] : []),
		...(warnings > 1 ? [vscode.l10n.t('{0} lines are warnings.', warnings)] : []),
	];
	return texts.length === 0 ? vscode.l10n.t('Everything works.') : texts.join(' ');
}

function lineAt(groups: readonly ShownGroup[], number: number, key: string): Line | undefined {
	return groups
		.flatMap(({ checks }, group) =>
			checks.flatMap(({ lines = [] }, check) =>
				lines.map((line, at) => [keyOf(number, group, check, at), line] as const),
			),
		)
		.find(([each]) => each === key)?.[1];
}

async function repair(line: Line | undefined): Promise<void> {
	if (line?.remedy) {
		const { command, argument } = line.remedy;
		await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
	}
}

import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import { commandTable, type CommandId, isCommandId } from '../../commands/table.ts';
import type { CommandTable } from './feature.ts';
import { tellBriefly } from '../ask/notify.ts';
import type { Problems } from '../ask/problems.ts';
import { needsGit, tellNotTrusted } from './trust.ts';
import { type ViewId, panelNames, viewIds, type ViewName } from '../../commands/viewIds.ts';
import type { Focus } from '../../commands/command.ts';
import { rowKinds } from '../../commands/rows.ts';
import { choose } from '../ask/ask.ts';
import { isRecord } from './subjects.ts';

/** Titles of running commands, for their questions; several can wait for the user at once. */
const running = new AsyncLocalStorage<string>();

/** The title of the command that asks; `undefined` outside of commands. */
export function runningCommand(): string | undefined {
	return running.getStore();
}

/** A view with its selected rows. */
interface ChosenRows {
	readonly view: ViewId;
	readonly rows: readonly unknown[];
}

/**
 * Runs commands of all features: one place for errors and for giving up when the window goes. The manifest test proves
 * that each contributed command has a handler. `rowsInFocus`: rows for a key pressed in a view; `undefined` during
 * rapid changes. `viewInFocus`: the view that a command of the palette means.
 */
export function runner(
	tables: readonly CommandTable[],
	problems: Problems,
	rowsInFocus: (view: ViewId) => Promise<readonly unknown[] | undefined>,
	viewInFocus: () => ChosenRows | undefined,
	isTrusted: () => boolean,
) {
	const ending = new AbortController();

	/** Rows for a merged command that was handed nothing and does something of its own in the view. */
	function chosenRows(command: CommandId, handed: unknown): ChosenRows | undefined {
		const found = handed === undefined ? viewInFocus() : undefined;
		const name = found && viewName(found.view);
		return name !== undefined && commandTable[command].merge?.in?.[name] !== undefined ? found : undefined;
	}

	return {
		/** Resolves at the command's end; shows errors and never throws. `selected`: rows of a multiple selection. */
		async run(command: CommandId, handed: unknown, selected?: unknown) {
			try {
				const chosen = chosenRows(command, handed);
				// Key bindings of pages and diffs hand over `{ "rowsOf": "front" }`: a row chosen in a view is not meant.
				// The title menu of a page hands over the URI of its panel.
				const isFront = isRecord(handed) && (handed['rowsOf'] === 'front' || handed['scheme'] === 'webview-panel');
				const subject = isFront ? undefined : handed;
				const part = await partOf(command, chosen ? { rowsOf: chosen.view } : subject);
				if (!isTrusted() && needsGit(part, subject)) {
					void tellNotTrusted('information');
					return;
				}
				const handler = tables.map((table) => table[part]).find((each) => each !== undefined);
				const view = viewOfKey(subject);
				const rows = view === undefined ? rowTargets(subject, selected) : await rowsInFocus(view);
				if (!rows) {
					return tellBriefly(vscode.l10n.t('The list just changed. Try again.'));
				}
				const meant = chosen?.rows ?? rows;
				const first = chosen || view !== undefined ? meant[0] : subject;
				const title = titleOf(part).replace(/…$/, '');
				await running.run(title, async () => handler?.(first, ending.signal, meant));
			} catch (error) {
				// Not awaited: the notice may stay open for hours.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}

function rowTargets(subject: unknown, selected: unknown): readonly unknown[] {
	// A row outside of the selection means itself alone.
	if (Array.isArray(selected) && selected.includes(subject)) {
		return selected;
	}
	return subject === undefined ? [] : [subject];
}

/** The specific command behind a merged one: by the row's view, the active tab, or the user's choice. */
export async function partOf(command: CommandId, subject: unknown): Promise<CommandId> {
	const { merge } = commandTable[command];
	if (!merge) {
		return command;
	}
	const view = viewOfKey(subject);
	const focus = view === undefined ? (viewOfRow(subject) ?? focusInFront()) : viewName(view);
	const part = (focus && merge.in?.[focus]) ?? merge.otherwise;
	if (part !== undefined) {
		return known(part);
	}
	const choices = (merge.choices ?? []).map(known);
	return choose(
		questions[command]?.() ?? titleOf(command),
		choices.map((id) => ({ label: titleOf(id), value: id })),
	);
}

/** In the language of the editor. The extraction takes these texts from the table. */
function titleOf(id: CommandId): string {
	return vscode.l10n.t(commandTable[id].title);
}

/** Questions of merged commands. Literal, because extraction reads only literals. */
const questions: Readonly<Partial<Record<CommandId, () => string>>> = {
	'forge.undo': () => vscode.l10n.t('Choose what to undo'),
	'forge.snooze': () => vscode.l10n.t('Choose what to snooze'),
	'forge.setStatus': () => vscode.l10n.t('Choose what to set the status of'),
	'forge.markRead': () => vscode.l10n.t('Choose what to mark as read'),
	'forge.markUnread': () => vscode.l10n.t('Choose what to mark as unread'),
	'forge.markAllRead': () => vscode.l10n.t('Choose what to mark as read'),
	'forge.filter': () => vscode.l10n.t('Choose what to do with filters'),
	'forge.follow': () => vscode.l10n.t('Choose what to follow'),
	'forge.create': () => vscode.l10n.t('Choose what to create'),
	'forge.webhooks.manage': () => vscode.l10n.t('Choose what to do with webhooks'),
	'forge.ofFolder': () => vscode.l10n.t('Choose what to open'),
	'forge.mine': () => vscode.l10n.t('Choose what to show'),
	'forge.copyReference': () => vscode.l10n.t('Choose what to copy'),
	'forge.review.manage': () => vscode.l10n.t('Choose what to do with your review'),
};

/** A unit test of the table proves that merged commands name only commands. */
function known(id: string): CommandId {
	if (!isCommandId(id)) {
		throw new Error(`There is no command ${id}`);
	}
	return id;
}

/** Key bindings pass `{ "rowsOf": view }` instead of a row, because the editor gives them no rows. */
function viewOfKey(subject: unknown): ViewId | undefined {
	return isRecord(subject) ? viewIds.find((id) => id === subject['rowsOf']) : undefined;
}

function viewName(view: ViewId): ViewName | undefined {
	return Object.values(rowKinds)
		.flatMap(({ views }): readonly ViewName[] => views)
		.find((name) => view === `forge.${name}`);
}

/** A row's context value contains its kind, and the view of that kind. */
function viewOfRow(row: unknown): ViewName | undefined {
	const item = isRecord(row) ? row['item'] : undefined;
	const context = isRecord(item) ? item['contextValue'] : undefined;
	if (typeof context !== 'string') {
		return undefined;
	}
	const [, { views } = { views: [] }] =
		Object.entries(rowKinds).find(([kind]) => `${context}.`.startsWith(`forge.${kind}.`)) ?? [];
	const [view]: readonly ViewName[] = views;
	return view;
}

const schemes: Readonly<Record<string, Focus>> = {
	'forge-new': 'newTicket',
	'forge-description': 'description',
	'forge-patch': 'diff',
	'forge-versions': 'diff',
};

/** Kind of the active tab. */
function focusInFront(): Focus | undefined {
	const { activeTabGroup } = vscode.window.tabGroups;
	const input: unknown = activeTabGroup?.activeTab?.input;
	if (!isRecord(input)) {
		return undefined;
	}
	const { viewType, uri, modified, textDiffs } = input;
	if (typeof viewType === 'string') {
		// The editor puts a prefix of its own before the type of a panel.
		return panelNames.find((name) => viewType.endsWith(`forge.${name}`));
	}
	// Keys work in every multi-file diff and must not fall back to tickets there.
	if (Array.isArray(textDiffs)) {
		return 'diff';
	}
	const document = uri ?? modified;
	return isRecord(document) ? schemes[String(document['scheme'])] : undefined;
}

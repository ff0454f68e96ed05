import * as vscode from 'vscode';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { askAccount, ownTarget, deleteOwned } from '../../../editor/owned/askOwned.ts';
import { createOwned, tellCreated, type Unmade } from '../../../editor/owned/newOwned.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Label, LabelColors } from 'sourcehut/port/tracker.ts';
import type { Connections, Connection } from '../../../store/connection.ts';
import type { LabelWrites } from '../../../store/tickets/writing/trackerWriter.ts';
import { contrast, readablePair } from '../../../engine/text/contrast.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Descriptions } from '../drafts/descriptions.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';
import { trackerTarget } from '../subjects/ticketTarget.ts';
import { trackerKind } from '../subjects/trackerKind.ts';

import type { TicketsContext } from '../context/ticketsContext.ts';
import { changeSubscription } from './changeSubscription.ts';
import { showLabels, colorText, someLabelsText, swatch } from './showLabels.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Commands for trackers themselves. */
export function trackerCommands(context: TicketsContext, descriptions: Descriptions): CommandTable {
	const { connections } = context;
	const unmade: Unmade = new Map();

	return {
		'forge.trackers.create': async (_, signal) => {
			const connection = await askAccount(trackerKind, connections);
			tellCreated(await createOwned(trackerKind, unmade, connection, signal));
		},
		'forge.trackers.editDescription': async (subject, signal) => {
			const { connectionKey, ref } = await ownTarget(trackerKind, connections, subject, signal);
			await descriptions.edit({ kind: 'description', connectionKey, tracker: ref });
		},
		'forge.trackers.saveDescription': (subject, signal) => descriptions.save(subject, signal),
		'forge.trackers.delete': async (subject, signal) => {
			const tracker = await ownTarget(trackerKind, connections, subject, signal);
			await deleteOwned(trackerKind, connectionOf(connections, tracker), tracker.ref, signal);
		},
		'forge.trackers.subscription': async (subject, signal) =>
			changeSubscription(connections, await trackerTarget(context, subject, signal), signal),
		'forge.trackers.manageLabels': async (subject, signal) =>
			manageLabels(connections, await trackerTarget(context, subject, signal), signal),
		'forge.trackers.labels': async (subject, signal) =>
			showLabels(context, await trackerTarget(context, subject, signal), signal),
	};
}

type Step = 'rename' | 'recolor' | 'delete';

interface Managed {
	readonly connection: Connection;
	readonly tracker: TrackerSubject['ref'];
	readonly writes: LabelWrites;
	readonly labels: readonly Label[];
}

/** Creates, changes or deletes a label. Explains when only the web page or another account can. */
export async function manageLabels(
	connections: Connections,
	subject: TrackerSubject,
	signal: AbortSignal,
): Promise<void> {
	const connection = connectionOf(connections, subject);
	const { ref: tracker } = subject;
	const writes = connection.writes.labels;
	if (!writes) {
		return openExactly(webAddress(connection.instance, { kind: 'labels', ref: tracker }));
	}
	if (tracker.owner !== connection.me) {
		void notify(
			'warning',
			vscode.l10n.t('Only {0} can change the labels of this tracker.', visibleLine(tracker.owner)),
		);
		return;
	}
	const labels = await connection.tickets.trackers.labels(tracker, signal);
	const managed = { connection, tracker, writes, labels };
	const label = await choose<Label | undefined>(
		vscode.l10n.t('Labels of {0}: choose one to change it', visibleLine(refText(tracker))),
		[
			{
				label: vscode.l10n.t('Create Label…'),
				iconPath: new vscode.ThemeIcon('add'),
				alwaysShow: true,
				value: undefined,
			},
			...labels.map((each) => ({
				label: visibleLine(each.name),
				description: colorText(each),
				iconPath: swatch(each.colors.background),
				value: each,
			})),
		],
		someLabelsText(connection.tickets, tracker),
	);
	return label ? changeLabel(managed, label, signal) : createLabel(managed, signal);
}

async function createLabel({ tracker, writes, labels }: Managed, signal: AbortSignal): Promise<void> {
	const title = vscode.l10n.t('New label of {0}', visibleLine(refText(tracker)));
	const name = await askName(title, labels);
	const colors = await askColors(vscode.l10n.t('Color of {0}', visibleLine(name)), undefined);
	await withProgress(vscode.l10n.t('Creating the label…'), signal, (working) =>
		writes.create(tracker, { name, colors }, working),
	);
	tellBriefly(vscode.l10n.t('Created the label {0}', visibleLine(name)));
}

async function changeLabel(
	{ connection, tracker, writes, labels }: Managed,
	label: Label,
	signal: AbortSignal,
): Promise<void> {
	const name = visibleLine(label.name);
	const step = await choose<Step>(vscode.l10n.t('Choose what to do with the label {0}', name), [
		{ label: vscode.l10n.t('Rename…'), iconPath: new vscode.ThemeIcon('edit'), value: 'rename' },
		{ label: vscode.l10n.t('Change Color…'), iconPath: new vscode.ThemeIcon('symbol-color'), value: 'recolor' },
		{ label: vscode.l10n.t('Delete…'), iconPath: new vscode.ThemeIcon('trash'), value: 'delete' },
	]);
	const heading = vscode.l10n.t('Changing the label {0}…', name);
	switch (step) {
		case 'rename': {
			const others = labels.filter((each) => each !== label);
			const newName = await askName(vscode.l10n.t('Rename the label {0}', name), others, label.name);
			if (newName !== label.name) {
				await withProgress(heading, signal, (working) =>
					writes.change(tracker, label.name, { name: newName }, working),
				);
				tellBriefly(vscode.l10n.t('Renamed the label to {0}', visibleLine(newName)));
			}
			return;
		}
		case 'recolor': {
			const colors = await askColors(vscode.l10n.t('Color of {0}', name), label.colors);
			await withProgress(heading, signal, (working) => writes.change(tracker, label.name, { colors }, working));
			return tellBriefly(vscode.l10n.t('Changed the color of {0}', name));
		}
		case 'delete': {
			const tickets = connection.index.tickets(tracker);
			const count = tickets.filter(({ ticket }) => ticket.labels.includes(label.name)).length;
			const effect =
				count === 0
					? vscode.l10n.t("No ticket that was loaded has it. This can't be undone.")
					: count === 1
						? vscode.l10n.t(
								"It is removed from 1 loaded ticket, and from any others that have it. This can't be undone.",
							)
						: vscode.l10n.t(
								"It is removed from {0} loaded tickets, and from any others that have it. This can't be undone.",
								count,
							);
			const question = vscode.l10n.t('Delete the label {0}?', name);
			if (await confirmForGood(question, effect, vscode.l10n.t('Delete Label'))) {
				const deleting = vscode.l10n.t('Deleting…');
				await withProgress(deleting, signal, (working) => writes.remove(tracker, label.name, working));
				tellBriefly(vscode.l10n.t('Deleted the label {0}', name));
			}
			return;
		}
		default:
			return assertNever(step);
	}
}

/** Names of one tracker differ in more than the case of their letters. */
function askName(title: string, others: readonly Label[], value = ''): Promise<string> {
	return askFor({
		title,
		value,
		prompt: vscode.l10n.t('Name of the label'),
		complaint: (text) => {
			const name = text.trim();
			if (name === '') {
				return vscode.l10n.t('A name is required.');
			}
			return others.some((each) => each.name.toLowerCase() === name.toLowerCase())
				? vscode.l10n.t('The tracker has a label of this name already.')
				: undefined;
		},
	});
}

/** Asks for the colour of a label. Its text is black or white, whichever is easier to read on it. */
async function askColors(title: string, present: LabelColors | undefined): Promise<LabelColors> {
	const number = new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 1 });
	const chosen = await choose<string | undefined>(title, [
		...namedColors().map(({ name, color }): Choice<string | undefined> => {
			const { background, text } = colorsOn(color);
			const ratio = number.format(contrast(background, text));
			return {
				label: name,
				description: color === present?.background.toLowerCase() ? vscode.l10n.t('{0} · now', color) : color,
				detail:
					text === '#000000'
						? vscode.l10n.t('black text, contrast {0} to 1', ratio)
						: vscode.l10n.t('white text, contrast {0} to 1', ratio),
				iconPath: swatch(color),
				value: color,
			};
		}),
		{
			label: vscode.l10n.t('Other Color…'),
			iconPath: new vscode.ThemeIcon('symbol-color'),
			alwaysShow: true,
			value: undefined,
		},
	]);
	if (chosen !== undefined) {
		return colorsOn(chosen);
	}
	const typed = await askFor({
		title,
		prompt: vscode.l10n.t('A color as six hexadecimal digits'),
		placeHolder: '#1d76db',
		...(present ? { value: present.background } : {}),
		complaint: (text) => (hexOf(text) === undefined ? vscode.l10n.t('Enter a color such as #1d76db.') : undefined),
	});
	return colorsOn(hexOf(typed) ?? '');
}

function hexOf(text: string): string | undefined {
	const digits = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
	return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
}

function colorsOn(background: string): LabelColors {
	return readablePair({ background, text: '' }) ?? { background, text: '#000000' };
}

/** In the order of the rainbow. */
function namedColors(): readonly { readonly name: string; readonly color: string }[] {
	return [
		{ name: vscode.l10n.t('Red'), color: '#b60205' },
		{ name: vscode.l10n.t('Orange'), color: '#d93f0b' },
		{ name: vscode.l10n.t('Yellow'), color: '#fbca04' },
		{ name: vscode.l10n.t('Green'), color: '#0e8a16' },
		{ name: vscode.l10n.t('Light Green'), color: '#c2e0c6' },
		{ name: vscode.l10n.t('Teal'), color: '#006b75' },
		{ name: vscode.l10n.t('Light Blue'), color: '#bfd4f2' },
		{ name: vscode.l10n.t('Blue'), color: '#1d76db' },
		{ name: vscode.l10n.t('Purple'), color: '#5319e7' },
		{ name: vscode.l10n.t('Pink'), color: '#e99695' },
		{ name: vscode.l10n.t('Brown'), color: '#7a4a1d' },
		{ name: vscode.l10n.t('Gray'), color: '#6a737d' },
		{ name: vscode.l10n.t('Black'), color: '#000000' },
		{ name: vscode.l10n.t('White'), color: '#ffffff' },
	];
}

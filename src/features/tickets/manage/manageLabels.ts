import * as vscode from 'vscode';
import { assertNever } from '../../../base/assertNever.ts';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Label } from '../../../forge/tracker.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import type { LabelWrites } from '../../../state/tickets/writing/labelWriter.ts';
import { trackerPath } from '../../../text/forgeAddress.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';
import { askColors } from './colorPick.ts';
import { colorText, someLabelsText, swatch } from './showLabels.ts';

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
		const address = `${connection.instance.areas.todo}${trackerPath(tracker)}/labels`;
		await openExactly(address);
		return;
	}
	if (tracker.owner !== connection.me) {
		void notify(
			'warning',
			vscode.l10n.t('Only {0} can change the labels of this tracker.', visibleLine(tracker.owner)),
		);
		return;
	}
	const labels = await connection.tickets.labels(tracker, signal);
	const managed = { connection, tracker, writes, labels };
	const label = await choose<Label | undefined>(
		vscode.l10n.t('Labels of {0}: choose one to change it', visibleLine(refText(tracker))),
		[newLabelRow(), ...labels.map(labelRow)],
		someLabelsText(connection.tickets, tracker),
	);
	return label ? changeLabel(managed, label, signal) : createLabel(managed, signal);
}

function newLabelRow(): Choice<undefined> {
	return {
		label: vscode.l10n.t('Create Label…'),
		iconPath: new vscode.ThemeIcon('add'),
		alwaysShow: true,
		value: undefined,
	};
}

function labelRow(label: Label): Choice<Label> {
	return { label: visibleLine(label.name), description: colorText(label), iconPath: swatch(label), value: label };
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

async function changeLabel(managed: Managed, label: Label, signal: AbortSignal): Promise<void> {
	const { tracker, writes, labels } = managed;
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
		case 'delete':
			return deleteLabel(managed, label, signal);
		default:
			return assertNever(step);
	}
}

async function deleteLabel({ connection, tracker, writes }: Managed, label: Label, signal: AbortSignal): Promise<void> {
	const name = visibleLine(label.name);
	const count = connection.index.tickets(tracker).filter(({ ticket }) => ticket.labels.includes(label.name)).length;
	const question = vscode.l10n.t('Delete the label {0}?', name);
	if (!(await confirmForGood(question, countText(count), vscode.l10n.t('Delete Label')))) {
		return;
	}
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => writes.remove(tracker, label.name, working));
	tellBriefly(vscode.l10n.t('Deleted the label {0}', name));
}

/** Counts loaded tickets only. */
function countText(count: number): string {
	switch (count) {
		case 0:
			return vscode.l10n.t("No ticket that was loaded has it. This can't be undone.");
		case 1:
			return vscode.l10n.t(
				"It is removed from 1 loaded ticket, and from any others that have it. This can't be undone.",
			);
		default:
			return vscode.l10n.t(
				"It is removed from {0} loaded tickets, and from any others that have it. This can't be undone.",
				count,
			);
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

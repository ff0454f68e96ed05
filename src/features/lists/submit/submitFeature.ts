import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { cancelled, choose } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify } from '../../../editor/ask/notify.ts';
import type { CommandTable, Feature } from '../../../editor/commands/feature.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { KeptText } from '../../../state/shared/keptText.ts';
import { toldOfGit } from '../apply/applyParts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { oneSending } from '../reply/oneSending.ts';
import { editPrepared } from './editPrepared.ts';
import { keptSeries, type PreparedSeries } from './keptSeries.ts';
import { dropSeries, sendSeries } from './sendSeries.ts';
import { seriesOfUri, seriesPreview, type SeriesName, type SeriesPreview } from './seriesPreview.ts';
import type { SubmitParts, SubmitSurroundings } from './submitParts.ts';
import { previewSeries, submitPatches } from './submitPatches.ts';
import { progressText, seriesTitle } from './submitWords.ts';

/** Sends commits to a list as patches. */
export interface SubmitFeature extends Feature {
	/** Previews of series, `forge-series:`. */
	readonly previews: SeriesPreview;
}

export interface SubmitFeatureParts extends ListsParts, SubmitSurroundings {
	/** Per-account storage of prepared series, shared by all windows. */
	readonly seriesOf: (connectionKey: string) => KeptText;
}

export function submitFeature(given: SubmitFeatureParts): SubmitFeature {
	const owned = new Disposables();
	const series = owned.add(keptSeries(given.connections, given.seriesOf));
	const parts: SubmitParts = { ...given, series };
	const inTurn = oneSending();
	const commands: CommandTable = {
		'forge.submit.prepare': (subject, signal) => submitPatches(parts, subject, signal),
		'forge.submit.preview': async (subject, signal) => previewSeries(parts, await seriesTarget(parts, subject), signal),
		'forge.submit.editMail': async (subject, signal) => editPrepared(parts, await seriesTarget(parts, subject), signal),
		'forge.submit.send': async (subject, signal) => {
			const series = await seriesTarget(parts, subject);
			await inTurn(`${series.connectionKey} ${series.id}`, () => sendSeries(parts, series, signal));
		},
		'forge.submit.discard': async (subject) => {
			const target = await seriesTarget(parts, subject);
			const detail = vscode.l10n.t(
				"Your commits are not changed. What was not sent is not sent. This can't be undone.",
			);
			const question = vscode.l10n.t('Discard the prepared patches "{0}"?', seriesTitle(target));
			if (await confirmForGood(question, detail, vscode.l10n.t('Discard'))) {
				await dropSeries(parts, target);
			}
		},
	};
	return {
		commands: toldOfGit(given, commands),
		previews: owned.add(seriesPreview(parts)),
		dispose: () => owned.dispose(),
	};
}

/** The command's series: a given one, that of the active document, or one that the user chooses. */
async function seriesTarget(parts: SubmitParts, subject: unknown): Promise<PreparedSeries> {
	const uri = subject ?? vscode.window.activeTextEditor?.document.uri;
	const { connectionKey, id } = seriesNamed(subject) ?? seriesOfUri(uri) ?? (await chosenSeries(parts));
	// Reload: it may have been sent during the question.
	const known = parts.series.of(connectionKey, id);
	if (!known) {
		void notify('information', vscode.l10n.t('These patches are no longer prepared. Use Send Patches… again.'));
		throw cancelled();
	}
	return known;
}

async function chosenSeries({ series }: SubmitParts): Promise<SeriesName> {
	const all = series.all();
	const [only] = all;
	if (!only) {
		void notify('information', vscode.l10n.t('No patches are prepared. Use Send Patches… first.'));
		throw cancelled();
	}
	return all.length === 1
		? only
		: choose(
				vscode.l10n.t('Choose the prepared patches'),
				all.map((each) => ({
					label: seriesTitle(each),
					description: progressText(each),
					iconPath: new vscode.ThemeIcon('mail'),
					value: each,
				})),
			);
}

function seriesNamed(subject: unknown): SeriesName | undefined {
	const { kind, connectionKey, id } = isRecord(subject) ? subject : {};
	return kind === 'series' && typeof connectionKey === 'string' && typeof id === 'string'
		? { connectionKey, id }
		: undefined;
}

import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ArchiveFacts } from '../../../store/lists/keptArchive.ts';
import { largestArchiveBytes, type ArchiveSample, type ListArchives } from '../../../store/lists/listArchives.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../context/listsContext.ts';

/** A recently updated archive needs no request on each search. */
const freshMs = 600_000;
const dayMs = 86_400_000;
const yearDays = 365;
/** Interval of progress reports. */
const tellEveryMs = 250;

/**
 * Provides a list's archive on disk: asks for an extent if there is none, otherwise updates it if the forge answers.
 * `undefined` if there is nothing to search.
 */
export async function archiveOnDisk(
	context: ListsContext,
	archives: ListArchives,
	list: ListRef,
	signal: AbortSignal,
): Promise<ArchiveFacts | undefined> {
	const saved = await archives.facts(list);
	if (!saved) {
		return downloadArchive(context, archives, list, signal);
	}
	if (context.clock.nowMs() - saved.readAtMs < freshMs) {
		return saved;
	}
	try {
		const title = vscode.l10n.t('Updating the archive of {0}…', visibleLine(list.name));
		return (await withProgress(title, signal, (working) => archives.update(list, working))) ?? saved;
	} catch (error) {
		// Search the existing archive anyway; the box shows its age.
		if (signal.aborted || !(isForgeError(error) || isAbort(error))) {
			throw error;
		}
		context.problems.log(error);
		return saved;
	}
}

/** Estimates the archive's size and downloads the chosen extent. */
export async function downloadArchive(
	{ clock }: ListsContext,
	archives: ListArchives,
	list: ListRef,
	signal: AbortSignal,
): Promise<ArchiveFacts | undefined> {
	const name = visibleLine(list.name);
	const sample = await measuredArchive(archives, list, signal);
	if (sample === undefined) {
		return undefined;
	}
	const sinceDays = await choose(
		vscode.l10n.t('How much of the archive of {0} should be downloaded for searching?', name),
		amounts(sample, clock.nowMs()),
		vscode.l10n.t('The forge does not say how large it is: estimated by the last {0} days', sample.days),
	);
	let shown: ShownProgress | undefined;
	let reportedMs = -Infinity;
	const progressed = (bytes: number): void => {
		if (shown && clock.nowMs() - reportedMs >= tellEveryMs) {
			reportedMs = clock.nowMs();
			shown.report({ message: vscode.l10n.t('{0} so far', sizeText(bytes, vscode.env.language)) });
		}
	};
	const title = vscode.l10n.t('Downloading the archive of {0}…', name);
	const download = (working: AbortSignal): Promise<ArchiveFacts> =>
		archives.download(list, { sinceDays, progressed }, working);
	try {
		const facts = await withProgress(title, signal, download, (progress) => (shown = progress));
		if (facts.mails > 0) {
			return facts;
		}
		archives.remove(list);
		void notify(
			'information',
			vscode.l10n.t(
				'The forge sent no messages of {0}. There are none of that time, or your account may not read them.',
				name,
			),
		);
	} catch (error) {
		throwUnlessTooLarge(error);
		void notify(
			'error',
			vscode.l10n.t('The archive of {0} is larger than {1}. Search fewer of its messages.', name, mostText()),
		);
	}
	return undefined;
}

/** `undefined`, after a message, if even the smallest offered extent exceeds the limit. */
async function measuredArchive(archives: ListArchives, list: ListRef, signal: AbortSignal) {
	const name = visibleLine(list.name);
	try {
		const title = vscode.l10n.t('Measuring the archive of {0}…', name);
		return await withProgress(title, signal, (working) => archives.sample(list, working));
	} catch (error) {
		throwUnlessTooLarge(error);
		void notify(
			'error',
			vscode.l10n.t(
				'The messages of {0} from the last days alone are larger than {1}, too many to download. Filter the list instead, which searches loaded messages.',
				name,
				mostText(),
			),
		);
		return undefined;
	}
}

function throwUnlessTooLarge(error: unknown): void {
	if (!isForgeError(error) || error.problem.kind !== 'tooLarge') {
		throw error;
	}
}

function amounts(sample: ArchiveSample, nowMs: number): readonly Choice<number | undefined>[] {
	const ageDays = Math.max(sample.days, Math.ceil((nowMs - sample.createdMs) / dayMs));
	const estimate = (days: number): string => {
		const bytes = (sample.bytes / sample.days) * Math.min(days, ageDays);
		const size = sizeText(bytes, vscode.env.language);
		return bytes > largestArchiveBytes
			? vscode.l10n.t('about {0}; more than {1} is not downloaded', size, mostText())
			: vscode.l10n.t('about {0}', size);
	};
	return [
		{
			label: vscode.l10n.t('All messages'),
			description: estimate(ageDays),
			iconPath: new vscode.ThemeIcon('archive'),
			value: undefined,
		},
		...(ageDays > yearDays
			? [
					{
						label: vscode.l10n.t('The last year'),
						description: estimate(yearDays),
						iconPath: new vscode.ThemeIcon('calendar'),
						value: yearDays,
					},
				]
			: []),
		{
			label: vscode.l10n.t('The last {0} days', sample.days),
			description: sizeText(sample.bytes, vscode.env.language),
			iconPath: new vscode.ThemeIcon('calendar'),
			value: sample.days,
		},
	];
}

function mostText(): string {
	return sizeText(largestArchiveBytes, vscode.env.language);
}

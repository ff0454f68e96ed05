import type { Patchset } from '../../../forge/port/list.ts';
import type { LocalCommit } from '../../../machine/git/localSeries.ts';
import { mailDraftText } from '../../../engine/mail/mailDraftText.ts';
import type { SeriesReading } from '../../../engine/series/seriesReading.ts';
import { commitSubject } from '../../../engine/series/patchMail.ts';
import type { PreparedSeries } from './keptSeries.ts';

/** The earlier version, if loaded. */
export interface EarlierVersion {
	readonly patchset: Patchset;
	readonly series: Pick<SeriesReading, 'cover'>;
}

/** Initial cover letter: the one of the earlier version, with room for the changes. */
export function coverText(
	{ to, cc }: Pick<PreparedSeries, 'to' | 'cc'>,
	commits: readonly Pick<LocalCommit, 'subject'>[],
	earlier: EarlierVersion | undefined,
): string {
	const before = earlier?.series.cover?.reading;
	const mail = before?.kind === 'read' ? before.mail : undefined;
	const body = [
		mail ? ownText(mail.text) : '',
		// In English, like the rest of a mailing list.
		...(earlier ? [`Changes since v${earlier.patchset.version}:\n- `] : []),
		...(commits.length === 0 ? [] : [commits.map(({ subject }, at) => `  ${at + 1}. ${subject}`).join('\n')]),
	];
	return mailDraftText({
		to,
		cc,
		subject: mail ? commitSubject(mail.subject) : '',
		body: `${body.join('\n\n')}\n`,
	});
}

/** Without the list of commits, the statistics and the base that programs write below it. */
function ownText(text: string): string {
	const lines = text.split('\n');
	const end = lines.findIndex(
		(line, at) =>
			/^-- ?$|^base-commit: | {2}1\. |^ \d+ files? changed/.test(line) ||
			(/^\S.* \(\d+\):$/.test(line) && /^ {2}\S/.test(lines[at + 1] ?? '')),
	);
	return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim();
}

import { problemsOf, type B4Reading, type Difference } from './differences.ts';
import type { ProductSeries } from './productSeries.ts';

const mostLines = 12;

/** All differences of a list with Message-IDs and subjects, so that a person can judge them. */
export function differencesText({
	name,
	b4,
	product,
	found,
}: {
	readonly name: string;
	readonly b4: B4Reading;
	readonly product: readonly ProductSeries[];
	readonly found: readonly Difference[];
}): string {
	const line = (id: string | null): string => {
		const mail = id === null ? undefined : b4.mails[id];
		return id === null ? '    (missing)' : `    <${id}> ${mail?.from ?? ''} ${mail?.subject ?? ''}`;
	};
	const setText = ({ version, isFormed, problems, patches, cover }: ProductSeries): readonly string[] => [
		`  here v${version}${isFormed ? ' formed' : ''} ${problems.join(', ')}`.trimEnd(),
		...(cover === undefined ? [] : [`    cover <${cover}>`]),
		...patches.slice(0, mostLines).map(line),
	];
	const differing = found
		.filter(({ kind, hasOtherCover }) => kind !== 'same' || hasOtherCover)
		.flatMap(({ kind, right, doubts, hasOtherCover, series, beside }) => {
			const words = [hasOtherCover ? 'other cover letter' : kind, `right: ${right}`, `v${series.revision}`, ...doubts];
			return [
				`## ${words.join(' | ')}`,
				`thread <${series.thread}> ${b4.mails[series.thread]?.subject ?? ''}`,
				`  b4${series.isPartial ? ', partial re-roll' : ''}${series.isComplete ? '' : ', incomplete'}`,
				...(series.cover === null ? [] : [`    cover <${series.cover}>`]),
				...series.patches.slice(0, mostLines).map(line),
				...(beside ? setText(beside) : []),
				'',
			];
		});
	const inB4 = new Set(b4.series.flatMap(({ patches }) => patches));
	const ofProduct = product.flatMap((each) => {
		const problems = problemsOf(each, b4.mails);
		const signs = each.patches.some((id) => inB4.has(id)) ? problems : [...problems, 'no patch of b4'];
		return signs.length === 0 ? [] : [`## ${signs.join(' | ')}`, ...setText(each), ''];
	});
	return [`# ${name}: series`, '', ...differing, `# ${name}: patchsets of the product`, '', ...ofProduct].join('\n');
}

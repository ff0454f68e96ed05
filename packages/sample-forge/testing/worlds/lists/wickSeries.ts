import type { SeriesPlan } from './seriesPlan.ts';

const scannerFix: SeriesPlan = {
	key: 'wick-scanner',
	list: 'wick-devel',
	author: 'alice',
	day: 206,
	tag: 'PATCH wick',
	commits: [
		{
			subject: 'scan: never read past the end',
			text: 'The second loop trusted that every text ends in a blank.',
			changes: [
				[
					'edit',
					'lib/scan.c',
					"	while (scan->at[0] > ' ')\n",
					"	while (scan->at < scan->end && scan->at[0] > ' ')\n",
				],
			],
		},
	],
	moves: [['applied', 9]],
	talk: [
		{
			who: 'bob',
			hours: 8,
			to: 1,
			says: [{ q: 'scan->at < scan->end' }, 'Ouch. Applied, and there will be a release tonight.'],
		},
	],
};

const grammarFirst: SeriesPlan = {
	key: 'wick-grammar-v1',
	list: 'wick-devel',
	author: 'carol',
	day: 690,
	tag: 'PATCH wick',
	cover: { subject: 'sh: here documents', text: 'They ended too early, or never.' },
	commits: [
		{
			subject: 'sh: end at the word on its own line',
			text: '',
			changes: [['edit', 'grammars/sh.wick', '	end   word\n', '	end   line word\n']],
		},
		{
			subject: 'sh: know <<- too',
			text: '',
			changes: [['edit', 'grammars/sh.wick', '	begin "<<"\n', '	begin "<<-?"\n']],
		},
	],
	moves: [['superseded', 49]],
	talk: [
		{
			who: 'bob',
			hours: 6,
			to: 2,
			says: [{ q: '<<-?' }, 'In a wick string the question mark is just a question mark. You want two rules.'],
		},
	],
};

const grammarSecond: SeriesPlan = {
	...grammarFirst,
	key: 'wick-grammar-v2',
	day: 692,
	version: 2,
	commits: [
		...grammarFirst.commits.slice(0, 1),
		{
			subject: 'sh: know <<- too',
			text: '',
			changes: [
				[
					'edit',
					'grammars/sh.wick',
					'rule here-document {',
					'rule here-document-tabs {\n	begin "<<-"\n	end   line tab* word\n}\n\nrule here-document {',
				],
			],
		},
	],
	moves: [['applied', 20]],
	talk: [
		{
			who: 'bob',
			hours: 19,
			to: 0,
			says: ['Applied both, thanks!\n\nTo git@git.forge.test:~bob/wick\n   0c0ffee..5ca1ab1  master -> master'],
		},
	],
};

/** The series of the syntax library. */
export const wickSeries: readonly SeriesPlan[] = [scannerFix, grammarFirst, grammarSecond];

/** Words in corpus file names (`NN-mailer-word.eml`), by the style of the reply. */
const styles = {
	inline: [
		'ambiguous',
		'beforequote',
		'blank',
		'crossfile',
		'dark',
		'diffstat',
		'fileheader',
		'hunkheader',
		'inline',
		'installer',
		'locks',
		'lost',
		'markdown',
		'quotefits',
		'quotefitsorder',
		'recover',
		'replies',
		'semicolon',
		'several',
		'suggestion',
	],
	trimmed: ['short', 'shortanswer', 'shortquotes', 'trimmed'],
	'lines left out': ['b4', 'cutend', 'duplicates', 'elided', 'snip'],
	're-wrapped': ['flowed', 'rewrapped', 'wrapped'],
	damaged: ['htmlleftovers', 'nbsp', 'noblank', 'qpdamage', 'smart', 'spacelost', 'tabsgone'],
	nested: ['answers', 'deepnested', 'nested', 'nestednested', 'nestedplain', 'quotesboth'],
	'top-posted': ['answer', 'answered', 'replytoall', 'topanswer', 'toppost', 'toppostquestion', 'toppostreply'],
	'bottom-posted': ['bottomfull'],
	'other marks': ['barquotes', 'initials', 'unquoted'],
	'no attribution': ['noattribution'],
	'other languages': [
		'danish',
		'dutch',
		'finnish',
		'french',
		'german',
		'japanese',
		'polish',
		'portuguese',
		'russian',
		'spanish',
		'swedish',
	],
	'of the series': ['cover', 'coverquotespatch', 'severalpatches', 'whole'],
	trailers: ['trailer', 'trailers'],
} as const;

const byWord = new Map<string, string>(
	Object.entries(styles).flatMap(([style, words]) => words.map((word) => [word, style] as const)),
);

/** The style for a word of a file name; throws on an unknown word. */
export function styleNamed(word: string): string {
	const style = byWord.get(word);
	if (style === undefined) {
		throw new Error(`test/support/replyStyles.ts has no style for replies "${word}"`);
	}
	return style;
}

/** A clear opinion about a series. */
export interface Verdict {
	readonly kind: 'approved' | 'applied' | 'revisionAsked';
	/** The decisive words, as written. */
	readonly quote: string;
}

/** Longer sentences mean something else. */
const longestSentence = 160;
const longestQuote = 200;
/** Verdicts are short mails, or appear near the head or end of longer ones. */
const mostSentences = 2000;

const thanks = String.raw`(?:(?:many )?thanks(?: a lot| again)?|thank you|thx|ok|okay|great|nice|good|perfect|fine|cool)`;
const whole = String.raw`(?:(?:all|both|now|series|the series|the whole series|all patches) )?`;

const applied = new RegExp(
	`^(?:${thanks}[ ,]*)?${whole}(?:i(?: have|'ve)? )?(?:applied|pushed|merged)(?: both| all| it| this| now| the series)?` +
		String.raw`(?: to [\w./-]{1,60}| (?:as|in) [0-9a-f]{7,40})?(?:[ ,]*${thanks})?$`,
);
const approved = new RegExp(
	`^(?:${thanks}[ ,]*)?(?:approved|lgtm|looks good to me|(?:${whole}looks good to me)|ship it)(?:[ ,]*${thanks})?$`,
);
const version = String.raw`(?:v\d{1,3}|(?:new|another) version|re-?roll)`;
const send = String.raw`(?:re-?send|re-?roll|send (?:me )?(?:an? )?${version})`;
/** Words about the manner or reason of a new version. */
const manner = String.raw`(?:(?: it| this| them| (?:this|the) (?:series|patch|patches|set))?(?:,? (?:with|using|after|as|rebased|against|based on|on top of|that|which)\b.*)?)`;
const lead = `(?:(?:${thanks}|so|and|but|then|otherwise|sorry|i think)[ ,]+)?`;
const revision = new RegExp(
	`^(?:${lead}(?:` +
		[
			'nac?k(?:ed)?(?:[ ]*[,:–—-].+)?',
			'(?:some |a few |minor )?changes requested',
			`(?:please,?|(?:could|can|would) you(?: please)?) ${send}${manner}(?:,? please)?`,
			String.raw`(?:(?:this|it|that|(?:the|this) (?:series|patch|set|patchset)) )?(?:still )?needs? (?:a|another|one more) (?:new )?(?:version|revision|round|v\d{1,3})(?: of review)?`,
		].join('|') +
		`)(?:[ ,]*${thanks})?)$`,
);
/** Retracts or limits a refusal in the same sentence. */
const takenBack =
	/\b(?:if|unless|no need|don't|do not|not|withdrawn?|spurious|retract(?:ed)?|lgtm|looks good|never ?mind)\b/;
/** Retracts everything before. */
const allTakenBack = /\b(?:withdrawn?|never ?mind|scratch that|ignore (?:that|my))\b/;

/** Allowed after an approval. Any other text could limit it. */
const courtesy = new RegExp(
	`^(?:${thanks}(?: so much| very much)?(?: for [\\w' ]{1,60})?|(?:great|nice|good|fine) (?:work|job|stuff)|very much|` +
		'cheers|regards|(?:best|kind|warm)(?: regards| wishes)?|greetings|bye|take care|have a nice (?:day|weekend|one))?$',
);
const limit = /\b(?:but|except|however|although|apart|only|not|without|unless|if|besides)\b/;

/** `On Friday, 1 March 2024 Bob wrote:` above a quotation. */
const attribution =
	/^(?:on|am|le|el|il|op)\b(?=[^.]*\d|[^.]*day|.*@).*(?<!\p{L})(?:wrote|writes|schrieb|écrit|escribió|scritto|schreef)(?!\p{L})[^.!?;]{0,80}:$/iu;
const longestAttribution = 400;
const trailer = /^[A-Za-z](?:[A-Za-z-]{0,40}[A-Za-z])?-by[ \t]{0,4}:/;

const range = String.raw`[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40} +\S`;
/** Output of `git push` on one line, or on two. */
const pushed = new RegExp(String.raw`^To \S{3,300}:? +${range}`);
const pushedTo = /^To \S{3,300}$/;
const moved = new RegExp(`^[ +]*${range}`);

/**
 * The last clear verdict in a person's own words. `lines`: `undefined` for words of other people. `writer`: the name,
 * which may sign the mail. Questions, conditions, limits and retractions make a verdict unclear.
 */
export function verdictIn(lines: readonly (string | undefined)[], writer: string): Verdict | undefined {
	const push = pushOutput(lines);
	if (push !== undefined) {
		return { kind: 'applied', quote: push.slice(0, longestQuote) };
	}
	const sentences = sentencesOf(lines);
	const verdicts = sentences.map(verdictOf);
	const at = verdicts.findLastIndex((each) => each !== undefined);
	const verdict = verdicts[at];
	return verdict !== undefined && stands(verdict, sentences.slice(at + 1), writer) ? verdict : undefined;
}

/** True if a verdict survives all later sentences. */
function stands({ kind }: Verdict, behind: readonly string[], writer: string): boolean {
	const rest = behind.map(wordsOf);
	switch (kind) {
		case 'approved': {
			const names = new Set(wordsOf(writer).split(/\s/));
			return rest.every((words) => {
				if (words.length > longestSentence) {
					return false;
				}
				// The writer's name may follow, alone or after a greeting.
				const said = words
					.split(/[\s,]/)
					.filter((word) => /[\p{L}\p{N}]/u.test(word) && !names.has(word))
					.join(' ');
				return courtesy.test(said) && !limit.test(said);
			});
		}
		case 'applied':
			return !rest.some((words) => /^(?:but|except|however|apart|not)\b/.test(words));
		case 'revisionAsked':
			return !rest.some((words) => allTakenBack.test(words));
	}
}

function pushOutput(lines: readonly (string | undefined)[]): string | undefined {
	for (const [at, line = ''] of lines.entries()) {
		const next = lines[at + 1] ?? '';
		if (pushed.test(line)) {
			return line;
		}
		if (pushedTo.test(line) && moved.test(next)) {
			return `${line} ${next.trim()}`;
		}
	}
	return undefined;
}

/** Joins the lines of a paragraph and splits at sentence ends. Drops trailers and attributions. */
function sentencesOf(lines: readonly (string | undefined)[]): readonly string[] {
	const paragraphs: string[] = [];
	let open: string[] = [];
	for (const line of [...lines, undefined]) {
		const text = line?.trim() ?? '';
		if (text === '' || trailer.test(text)) {
			const paragraph = open.join(' ');
			paragraphs.push(attribution.test(paragraph.slice(0, longestAttribution)) ? '' : paragraph);
			open = [];
		} else {
			open.push(text);
		}
	}
	const sentences = paragraphs.flatMap((paragraph) => paragraph.match(/[^.!?;]+(?:[.!?;]|$)/g) ?? []);
	return sentences.slice(0, mostSentences);
}

function verdictOf(sentence: string): Verdict | undefined {
	const quote = sentence.trim();
	if (quote.length > longestSentence) {
		return undefined;
	}
	const words = wordsOf(quote);
	if (!quote.endsWith('?')) {
		if (applied.test(words)) {
			return { kind: 'applied', quote };
		}
		if (approved.test(words)) {
			return { kind: 'approved', quote };
		}
	}
	// A polite question still requests a version.
	return revision.test(words) && !takenBack.test(words) ? { kind: 'revisionAsked', quote } : undefined;
}

function wordsOf(sentence: string): string {
	return sentence
		.trim()
		.replace(/[.!?;]$/, '')
		.replace(/[-\s:)(]{1,20}$/, '')
		.toLowerCase();
}

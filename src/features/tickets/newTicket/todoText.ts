/** Words that mark work to do, as people write them in comments. */
const marker = /(?:^|[^\p{L}\p{N}_])(?:TODO|FIXME|XXX|HACK)\b(?:\([^)]*\))?[:\s-]*(?<text>.*)/u;

/** Ends of comments in the usual languages. */
const commentEnd = /(?:\*\/|-->|#\}|%>|\*\))$/;

/** Text of a TODO comment; `undefined` for other lines. */
export function todoText(line: string): string | undefined {
	return marker.exec(line)?.groups?.['text']?.trimEnd().replace(commentEnd, '').trim();
}

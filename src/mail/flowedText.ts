/** A line of flowed text, its marks taken off (RFC 3676, 4.2). */
interface FlowedLine {
	/** How many `>` stand before it. */
	readonly depth: number;
	readonly content: string;
}

const signatureLine = '-- ';

/** Lines of flowed text without the blank that was put before some of them; they stay lines. */
export function unstuffed(text: string): string {
	return (text.startsWith(' ') ? text.slice(1) : text).replaceAll('\n ', '\n');
}

/**
 * Flowed text as people read it: lines that end in a blank go on in the next one of the same depth. With `delSp` that
 * blank was added by the sender's program and goes.
 */
export function joinedFlow(text: string, delSp: boolean): string {
	const joined: string[] = [];
	let open: FlowedLine | undefined;
	let isOpen = false;
	const parts: string[] = [];
	const close = (): void => {
		if (open) {
			const quotes = '>'.repeat(open.depth);
			joined.push(quotes === '' ? parts.join('') : `${quotes} ${parts.join('')}`);
		}
		parts.length = 0;
		open = undefined;
	};
	for (const line of text.split('\n')) {
		const read = flowedLine(line);
		const isSignature = read.content === signatureLine;
		if (!isOpen || isSignature || read.depth !== open?.depth) {
			close();
			open = read;
		}
		isOpen = !isSignature && read.content.endsWith(' ');
		parts.push(isOpen && delSp ? read.content.slice(0, -1) : read.content);
	}
	close();
	return joined.join('\n');
}

function flowedLine(line: string): FlowedLine {
	let depth = 0;
	while (line[depth] === '>') {
		depth += 1;
	}
	const rest = line.slice(depth);
	return { depth, content: rest.startsWith(' ') ? rest.slice(1) : rest };
}

import { jsonIn } from './looseJson.ts';

/** Where the looks of an account are kept between windows. What is read may be anything. */
export interface KeptText {
	read(): unknown;
	write(text: string): Promise<void>;
}

/**
 * What a kept text says now, parsed anew whenever it is another one, since other windows write it too. The same value as
 * long as it is the same text; `parse` is handed `undefined` where nothing of ours is kept.
 */
export function parsedText<T>(kept: Pick<KeptText, 'read'>, parse: (json: unknown) => T): () => T {
	let known: { readonly text: unknown; readonly value: T } | undefined;
	return () => {
		const text = kept.read();
		known = known && known.text === text ? known : { text, value: parse(jsonIn(text)) };
		return known.value;
	};
}

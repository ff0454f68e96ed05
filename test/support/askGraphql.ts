import type { CallOptions, RawAnswer, SampleForge, Service } from './sampleForge.ts';

/** A document, what its variables are, and who asks (alice when left out). */
export interface GraphqlQuestion {
	readonly variables?: Readonly<Record<string, unknown>>;
	readonly token?: string | null;
	readonly area?: Service;
}

/** Sends a document to a service of the sample forge, without any client in between. */
export async function askGraphql(
	forge: SampleForge,
	query: string,
	{ variables, token, area = 'todo' }: GraphqlQuestion = {},
): Promise<RawAnswer> {
	const options: CallOptions = { body: { query, variables }, ...(token === undefined ? {} : { token }) };
	return await forge.call(area, 'POST', '/query', options);
}

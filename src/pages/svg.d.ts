/** The bundler includes SVG files as text. */
declare module '*.svg' {
	const svg: string;
	export default svg;
}

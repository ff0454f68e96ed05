// Writes the expected rows of the made series: node test/corpus/series/write.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpusText } from '../../support/corpusRows.ts';
import { madeSeries } from '../../support/seriesCorpus.ts';

writeFileSync(join(import.meta.dirname, 'expected.txt'), corpusText(madeSeries()));

#include "store_leaf.h"

#include "error.h"
#include "file.h"
#include "text.h"

#include <string.h>

#define FILE_LIMIT ((size_t)1 << 36)
enum { wal_header_bytes = 32, frame_header_bytes = 24, column_limit = 32, leaf_table_page = 0x0d };

/* Pages of the file, those of the log over them; NULL where there is none. Page n is pages[n - 1]. */
typedef struct page_map {
    const unsigned char **pages;
    size_t count;
    size_t page_bytes;
    unsigned char *payload; /* of the cell at hand */
    size_t payload_capacity;
    sqlite3_stmt *inserts[column_limit]; /* by number of columns */
} page_map;

static uint32_t big16(const unsigned char *at) {
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t big32(const unsigned char *at) {
    return big16(at) << 16 | big16(at + 2);
}

/* Reads a variable-length integer; returns its length, 0 when it runs past the end. */
static size_t read_varint(const unsigned char *at, size_t bytes, uint64_t *value) {
    uint64_t read = 0;
    for (size_t i = 0; i < 9 && i < bytes; i++) {
        if (i == 8) {
            *value = read << 8 | at[i];
            return 9;
        }
        read = read << 7 | (at[i] & 0x7f);
        if (at[i] < 0x80) {
            *value = read;
            return i + 1;
        }
    }
    return 0;
}

/* Bytes of a value of that serial type. */
static uint64_t value_bytes(uint64_t type) {
    static const unsigned char fixed[12] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < 12 ? fixed[type] : (type - 12) / 2;
}

static void bind_value(sqlite3_stmt *insert, int at, uint64_t type, const unsigned char *value) {
    uint64_t bits = 0;
    int bytes = (int)value_bytes(type);
    if (type >= 12) {
        if (type % 2) {
            sqlite3_bind_text(insert, at, (const char *)value, bytes, SQLITE_STATIC);
        } else {
            sqlite3_bind_blob(insert, at, bytes ? (const void *)value : "", bytes, SQLITE_STATIC);
        }
        return;
    }
    for (int i = 0; i < bytes; i++) {
        bits = (i == 0 && value[0] & 0x80 && type != 7 ? UINT64_MAX : bits) << 8 | value[i];
    }
    double real;
    memcpy(&real, &bits, sizeof real);
    switch (type) {
    case 0:
    case 10:
    case 11:
        sqlite3_bind_null(insert, at);
        break;
    case 7:
        sqlite3_bind_double(insert, at, real);
        break;
    default:
        sqlite3_bind_int64(insert, at, type >= 8 ? (int64_t)type - 8 : (int64_t)bits);
        break;
    }
}

/* Inserts the row when it can be one of ours. A constraint that it violates shows that it is none. */
static void insert_row(page_map *map, const unsigned char *payload, uint64_t bytes) {
    uint64_t header_bytes, types[column_limit], body;
    size_t columns = 0, at = read_varint(payload, bytes, &header_bytes);
    if (at == 0 || header_bytes > bytes) {
        return;
    }
    body = header_bytes;
    while (at < header_bytes) {
        size_t length =
            columns < column_limit ? read_varint(payload + at, header_bytes - at, &types[columns]) : 0;
        if (length == 0 || value_bytes(types[columns]) > bytes - body) {
            return;
        }
        body += value_bytes(types[columns++]);
        at += length;
    }
    sqlite3_stmt *insert = columns > 0 && columns < column_limit ? map->inserts[columns] : NULL;
    if (!insert || types[0] != 0) { /* the first column is the row's number, which is not in the record */
        return;
    }
    const unsigned char *value = payload + header_bytes;
    for (size_t i = 1; i < columns; i++) {
        value += value_bytes(types[i - 1]);
        bind_value(insert, (int)i, types[i], value);
    }
    sqlite3_step(insert);
    sqlite3_reset(insert);
    sqlite3_clear_bindings(insert);
}

/* Bytes of a payload that stand on the leaf itself; the rest is on a chain of overflow pages. */
static uint64_t local_bytes(uint64_t payload, uint64_t usable) {
    uint64_t most = usable - 35, least = (usable - 12) * 32 / 255 - 23;
    if (payload <= most) {
        return payload;
    }
    uint64_t fitting = least + (payload - least) % (usable - 4);
    return fitting <= most ? fitting : least;
}

/* Gathers a payload that overflows; NULL when its chain is broken or memory ends. */
static const unsigned char *gather(page_map *map, const unsigned char *start, uint64_t local,
                                   uint64_t bytes) {
    if (bytes > map->payload_capacity) {
        unsigned char *grown = fsattn_realloc(map->payload, bytes, 1);
        if (!grown) {
            return NULL;
        }
        map->payload = grown;
        map->payload_capacity = bytes;
    }
    memcpy(map->payload, start, local);
    uint32_t next = big32(start + local);
    for (uint64_t have = local; have < bytes;) {
        uint64_t part = bytes - have < map->page_bytes - 4 ? bytes - have : map->page_bytes - 4;
        if (next == 0 || next > map->count || !map->pages[next - 1]) {
            return NULL;
        }
        const unsigned char *page = map->pages[next - 1];
        memcpy(map->payload + have, page + 4, part);
        next = big32(page);
        have += part;
    }
    return map->payload;
}

static void scan_cell(page_map *map, const unsigned char *page, size_t offset) {
    uint64_t bytes, row_id;
    size_t left = map->page_bytes - offset, at = read_varint(page + offset, left, &bytes);
    size_t second = at ? read_varint(page + offset + at, left - at, &row_id) : 0;
    if (second == 0 || bytes == 0 || bytes > (uint64_t)map->count * map->page_bytes) {
        return;
    }
    const unsigned char *payload = page + offset + at + second;
    left -= at + second;
    uint64_t local = local_bytes(bytes, map->page_bytes);
    if (local + (local < bytes ? 4 : 0) > left) {
        return;
    }
    if (local < bytes) {
        payload = gather(map, payload, local, bytes);
    }
    if (payload) {
        insert_row(map, payload, bytes);
    }
}

static void scan_page(page_map *map, size_t index) {
    const unsigned char *page = map->pages[index];
    size_t header = index == 0 ? 100 : 0; /* page 1 begins with the file's header */
    if (!page || page[header] != leaf_table_page) {
        return;
    }
    size_t cells = big16(page + header + 3);
    for (size_t i = 0; i < cells && header + 8 + 2 * i + 2 <= map->page_bytes; i++) {
        size_t offset = big16(page + header + 8 + 2 * i);
        if (offset >= header + 8 && offset < map->page_bytes) {
            scan_cell(map, page, offset);
        }
    }
}

static size_t page_bytes_of(const unsigned char *file, size_t bytes) {
    size_t named = bytes >= 100 && !memcmp(file, "SQLite format 3", 16) ? big16(file + 16) : 0;
    named = named == 1 ? 65536 : named;
    return named >= 512 && (named & (named - 1)) == 0 ? named : 4096;
}

/* Lays the pages of the log's current generation over those of the file. */
static void overlay_log(page_map *map, const unsigned char *log, size_t bytes) {
    if (bytes < wal_header_bytes || big32(log + 8) != map->page_bytes) {
        return;
    }
    size_t step = frame_header_bytes + map->page_bytes;
    for (size_t at = wal_header_bytes; bytes - at >= step; at += step) {
        uint32_t page = big32(log + at);
        bool current = !memcmp(log + at + 8, log + 16, 8);
        if (current && page > 0 && page <= map->count) {
            map->pages[page - 1] = log + at + frame_header_bytes;
        }
    }
}

static fsattn_status prepare_inserts(page_map *map, fsattn_store *scratch, fsattn_err *err) {
    static const char *const tables[] = {"blobs", "builds", "runs", "results"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        fsattn_text sql = {0};
        int64_t columns = 0;
        fsattn_text_printf(&sql, "SELECT count(*) FROM pragma_table_info('%s')", tables[i]);
        fsattn_status status =
            sql.failed ? FSATTN_NO_MEMORY : fsattn_store_int(scratch, sql.data, &columns, err);
        fsattn_text_clear(&sql);
        fsattn_text_printf(&sql, "INSERT INTO %s VALUES(NULL", tables[i]);
        for (int64_t c = 1; c < columns; c++) {
            fsattn_text_puts(&sql, ", ?");
        }
        fsattn_text_puts(&sql, ")");
        int code = SQLITE_NOMEM;
        if (status == FSATTN_OK && !sql.failed && columns < column_limit) {
            code = sqlite3_prepare_v2(scratch->db, sql.data, -1, &map->inserts[columns], NULL);
        }
        fsattn_text_fini(&sql);
        FSATTN_TRY(status);
        if (code != SQLITE_OK) {
            return fsattn_store_sql_fail(scratch, code, tables[i], err);
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_store_leaf_scan(const char *path, fsattn_store *scratch, fsattn_err *err) {
    char *file = NULL, *log = NULL;
    size_t file_bytes = 0, log_bytes = 0;
    fsattn_text log_path = {0};
    page_map map = {0};
    fsattn_status status;
    FSATTN_GOTO(fsattn_file_read(path, FILE_LIMIT, &file, &file_bytes, err));
    fsattn_text_printf(&log_path, "%s-wal", path);
    if (log_path.failed || fsattn_file_read(log_path.data, FILE_LIMIT, &log, &log_bytes, NULL) != FSATTN_OK) {
        log_bytes = 0; /* there need not be one */
    }
    map.page_bytes = page_bytes_of((unsigned char *)file, file_bytes);
    /* Pages that only the log has are behind the file's end. */
    size_t file_pages = file_bytes / map.page_bytes;
    map.count = file_pages + log_bytes / map.page_bytes;
    map.pages = fsattn_alloc(map.count, sizeof *map.pages);
    if (!map.pages) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        goto out;
    }
    for (size_t i = 0; i < file_pages; i++) {
        map.pages[i] = (unsigned char *)file + i * map.page_bytes;
    }
    overlay_log(&map, (unsigned char *)log, log_bytes);
    FSATTN_GOTO(prepare_inserts(&map, scratch, err));
    FSATTN_GOTO(fsattn_store_begin(scratch, err));
    for (size_t i = 0; i < map.count; i++) {
        scan_page(&map, i);
    }
    status = fsattn_store_end(scratch, FSATTN_OK, err);
out:
    for (size_t i = 0; i < column_limit; i++) {
        sqlite3_finalize(map.inserts[i]);
    }
    fsattn_free(map.pages);
    fsattn_free(map.payload);
    fsattn_free(file);
    fsattn_free(log);
    fsattn_text_fini(&log_path);
    return status;
}
